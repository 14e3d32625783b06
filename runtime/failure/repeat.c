/* SPDX-License-Identifier: ISC */
/* repeat.c - see repeat.h. */
#include "failure/repeat.h"
#include "buffers/buffers.h"
#include "cycle/state_cycle.h"
#include "machine/execution/clock.h"
#include "machine/execution/execution.h"
#include "machine/record/record.h"
#include "process/output.h"
#include "process/pages.h"
#include "process/stack.h"

#include <string.h>

static u32 *given; /* the choices to follow */
static volatile u32 nothing, followed;

u32 *repeat_choices(void)
{
	if (!given)
		given = pages_need(sizeof *given * STATUS_CHOICES);
	return given;
}

void repeat_record(bool on)
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

static void begin_choices(const struct strategy_ops *ops, const u32 *choices, u32 n)
{
	if (repeat_choices() != choices)
		memcpy(given, choices, sizeof *given * n);
	explore_start(&M.explore, ops, M.options, given, STATUS_CHOICES, &nothing);
	M.explore.prefix = n;
	explore_next(&M.explore);
}

bool repeat_wander(const u32 *choices, u32 n, u64 seed)
{
	struct explore saved = M.explore;
	bool diverged;

	begin_choices(&strategy_wander, choices, n);
	prng_seed(&M.explore.prng, seed);
	run_execution();
	diverged = M.explore.diverged;
	M.explore = saved;
	return !diverged;
}

void repeat_execution(const u32 *choices, u32 n, bool recorded)
{
	struct explore saved = M.explore;
	bool diverged;

	begin_choices(&strategy_follow, choices, n);
	if (recorded)
		repeat_record(true);
	run_execution();
	repeat_record(false);
	followed = M.explore.nlog;
	diverged = M.explore.diverged || followed != n;
	M.explore = saved;
	M.explore.diverged = diverged;
}

u32 repeat_length(void)
{
	return followed;
}

void repeat_check(void)
{
	enum outcome outcome = M.outcome;
	u32 n = M.explore.nlog, steps = M.steps;
	struct finding f = M.finding;
	bool diverged;

	repeat_execution(M.explore.log, n, false);
	diverged = M.explore.diverged;
	M.explore.diverged = false;
	if (M.outcome != OUTCOME_STOPPED &&
		(diverged || M.outcome != outcome || M.steps != steps)) {
		M.bounds |= BOUND_NONDETERMINISM;
		repeat_execution(given, n, true);
		record_remember();
		repeat_execution(given, n, true);
		record_explain_difference();
		M.explore.diverged = false;
	}
	M.outcome = outcome;
	M.finding = f;
	M.status->nchoices = M.explore.nlog = n;
}

/* A refusal ends the search; an endless loop takes long, and is repeated for the report. */
bool repeat_is_worthwhile(void)
{
	return M.outcome != OUTCOME_REFUSE && !clock_is_up && !state_cycle_is_unsure() &&
	       !(M.outcome == OUTCOME_FAIL && M.finding.kind == FINDING_LOOP);
}
