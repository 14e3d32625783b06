/* SPDX-License-Identifier: ISC */
/* shorten_cycle.c - see shorten_cycle.h. */
#include "search/shorten_cycle.h"
#include "machine/clock.h"
#include "cycle/state_cycle.h"
#include "machine/record.h"
#include "process/coverage.h"
#include "search/search.h"
#include "search/search_state.h"

#define TRIES 200
#define FINER 32 /* after step n, step n + n / FINER is next */

/* Follow the choices: does the state at this step recur? */
static bool comes_back(u32 step, u32 n, bool recorded)
{
	state_cycle_from = step;
	record.lean = recorded;
	search_follow(M.explore.log, n, recorded);
	record.lean = false;
	return M.outcome == OUTCOME_FAIL && M.finding.repeats;
}

static bool is_looked_for(const struct finding *f)
{
	return M.options->detect &
	       (f->kind == FINDING_STARVATION ? DETECT_STARVATION : DETECT_LIVELOCK);
}

/* A note on starvation that is not a finding, as it needs an unlikely schedule. */
static void note_starvation(const struct finding *f)
{
	if (f->kind == FINDING_STARVATION)
		coverage_note("a thread can starve while others make progress: a finding only with "
			      "--detect=+starvation");
}

bool shorten_cycle(void)
{
	static struct search_state saved;
	struct finding finding = {0};
	u32 n = M.explore.nlog, steps = M.steps, from = 1;
	bool found = false;

	search_push(&saved);
	M.max_steps = steps + 1;
	for (u32 i = 0; i < TRIES && from < steps && !found && !clock_is_over; i++) {
		found = comes_back(from, n, false);
		from += found ? 0 : 1 + from / FINER;
	}
	if (found && comes_back(from, n, true))
		finding = M.finding;
	found = finding.repeats && is_looked_for(&finding);
	if (found)
		saved.explore.nlog = search_followed();
	search_pop_all(&saved);
	if (found)
		return true;
	note_starvation(&finding);
	state_cycle_from = 0;
	M.bounds |= clock_is_over ? 0 : BOUND_STEPS;
	M.outcome = clock_is_over ? OUTCOME_STOPPED : OUTCOME_STEPS;
	return false;
}
