/* SPDX-License-Identifier: ISC */
/* shorten_cycle.c - see shorten_cycle.h. */
#include "failure/shorten_cycle.h"
#include "machine/execution/clock.h"
#include "cycle/state_cycle.h"
#include "machine/record/record.h"
#include "process/coverage.h"
#include "failure/search_state.h"
#include "failure/repeat.h"
#include "failure/leave_cycle.h"

#define TRIES 200
#define FINER 32 /* after step n, step n + n / FINER is next */

/* Follow the choices: does the state at this step recur? */
static bool recurs_at(u32 step, u32 n, bool recorded)
{
	state_cycle_from = step;
	record.lean = recorded;
	repeat_execution(M.explore.log, n, recorded);
	record.lean = false;
	return M.outcome == OUTCOME_FAIL && M.finding.repeats;
}

static bool is_looked_for(const struct finding *f)
{
	return M.options->detect &
	       (f->kind == FINDING_STARVATION ? DETECT_STARVATION : DETECT_LIVELOCK);
}

/* Of cycles that are no findings, as they need an unlikely schedule. */
static void note_starvation(void)
{
	coverage_note(
		"threads can starve, or loop in lockstep, while other schedules make progress: "
		"a finding only with --detect=+starvation");
}

/* Is there a first state of the execution that recurs? Its threads: M.finding. */
static bool find_first(u32 n, u32 steps)
{
	u32 from = 1;
	bool found = false;

	M.max_steps = steps + 1;
	for (u32 i = 0; i < TRIES && from < steps && !found && !clock_is_over; i++) {
		found = recurs_at(from, n, false);
		from += found ? 0 : 1 + from / FINER;
	}
	return found && recurs_at(from, n, true);
}

/* Is the recurring state a finding that is looked for? If not: *starves, is it starvation? */
static bool is_finding(u32 n, u32 steps, bool *starves)
{
	*starves = true;
	state_cycle_left =
		M.options->strategy != STRATEGY_STATES && cycle_is_left(M.explore.log, n, steps);
	if (state_cycle_left && !(M.options->detect & DETECT_STARVATION))
		return false;
	*starves = false;
	if (!find_first(n, steps))
		return false;
	*starves = M.finding.kind == FINDING_STARVATION;
	return is_looked_for(&M.finding);
}

bool shorten_cycle(void)
{
	static struct search_state saved;
	u32 n = M.explore.nlog, steps = M.steps;
	bool found, starves;

	search_push(&saved);
	found = is_finding(n, steps, &starves);
	if (found)
		saved.explore.nlog = repeat_length();
	search_pop_all(&saved);
	if (found)
		return true;
	if (starves)
		note_starvation();
	state_cycle_from = 0;
	M.bounds |= clock_is_over ? 0 : BOUND_STEPS;
	M.outcome = clock_is_over ? OUTCOME_STOPPED : OUTCOME_STEPS;
	return false;
}
