/* SPDX-License-Identifier: ISC */
/* search_follow.c - repeats executions along their choices: for the recorder, and to check
 * determinism. */
#include "search/search.h"
#include "buffers/buffers.h"
#include "cycle/state_cycle.h"
#include "machine/clock.h"
#include "machine/execution.h"
#include "machine/record.h"
#include "process/output.h"
#include "process/pages.h"
#include "process/stack.h"

#include <string.h>

static u32 *given; /* the choices to follow */
static volatile u32 nothing, followed;

u32 *search_choices(void)
{
	if (!given)
		given = pages_need(sizeof *given * STATUS_CHOICES);
	return given;
}

void search_record(bool on)
{
	if (on) {
		stack_init();
		record_begin();
		if (!record.lean)
			output_capture();
	}
	M.recording = machine_recording = on;
	engine_update();
}

void search_follow(const u32 *choices, u32 n, bool recorded)
{
	struct explore saved = M.explore;
	bool diverged;

	if (search_choices() != choices)
		memcpy(given, choices, sizeof *given * n);
	explore_start(
		&M.explore, &strategy_follow, M.options, given, STATUS_CHOICES, &nothing);
	M.explore.prefix = n;
	explore_next(&M.explore);
	if (recorded)
		search_record(true);
	run_execution();
	search_record(false);
	followed = M.explore.nlog;
	diverged = M.explore.diverged || followed != n;
	M.explore = saved;
	M.explore.diverged = diverged;
}

u32 search_followed(void)
{
	return followed;
}

void search_check_repeats(void)
{
	enum outcome outcome = M.outcome;
	u32 n = M.explore.nlog, steps = M.steps;
	struct finding f = M.finding;
	bool diverged;

	search_follow(M.explore.log, n, false);
	diverged = M.explore.diverged;
	M.explore.diverged = false;
	if (M.outcome != OUTCOME_STOPPED &&
		(diverged || M.outcome != outcome || M.steps != steps)) {
		M.bounds |= BOUND_NONDETERMINISM;
		search_follow(given, n, true);
		record_remember();
		search_follow(given, n, true);
		record_explain_difference();
		M.explore.diverged = false;
	}
	M.outcome = outcome;
	M.finding = f;
	M.status->nchoices = M.explore.nlog = n;
}

/* A refusal ends the search; an endless loop takes long, and is repeated for the report. */
bool search_is_worth_repeating(void)
{
	return M.outcome != OUTCOME_REFUSE && !clock_is_up && !state_cycle_is_unsure() &&
	       !(M.outcome == OUTCOME_FAIL && M.finding.kind == FINDING_LOOP);
}
