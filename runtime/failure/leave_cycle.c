/* SPDX-License-Identifier: ISC */
/* leave_cycle.c - see leave_cycle.h. */
#include "failure/leave_cycle.h"
#include "cycle/state_cycle.h"
#include "machine/execution/clock.h"
#include "failure/repeat.h"
#include "failure/search_state.h"

enum walk_end { WALK_ENDS, WALK_RECURS, WALK_UNKNOWN };

static enum walk_end continue_at_random(const u32 *choices, u32 n, u64 seed)
{
	if (!repeat_wander(choices, n, seed))
		return WALK_UNKNOWN;
	switch (M.outcome) {
	case OUTCOME_STEPS:
	case OUTCOME_STOPPED: return WALK_UNKNOWN;
	case OUTCOME_FAIL: return M.finding.repeats ? WALK_RECURS : WALK_ENDS;
	default: return WALK_ENDS;
	}
}

bool cycle_is_left(const u32 *choices, u32 n, u32 steps)
{
	u32 after = state_cycle_after, from = state_cycle_from, recurs = 0;
	struct search_state saved;
	bool ends = false;

	search_push(&saved);
	state_cycle_from = 0;
	state_cycle_after = steps + LEAVE_STEPS / 2;
	M.max_steps = steps + LEAVE_STEPS;
	for (u32 i = 0; i < LEAVE_WALKS && !ends && !clock_is_over; i++) {
		enum walk_end w = continue_at_random(choices, n, M.options->seed + i);

		ends = w == WALK_ENDS;
		recurs += w == WALK_RECURS;
	}
	search_pop_all(&saved);
	state_cycle_after = after;
	state_cycle_from = from;
	return ends || !recurs;
}
