/* SPDX-License-Identifier: ISC */
/* hang.c - see hang.h. */
#include "machine/execution/hang.h"
#include "machine/core.h"
#include "machine/execution/signal.h"

static u64 execution, last_execution; /* of the running one; of the one at the last tick */
static u64 last_steps;
static u64 idle, longest; /* nanoseconds without an event: so far; longest that ended */
static u64 ask_at;

void hang_execution_begins(void)
{
	execution++;
}

/* Has there been an event since the last tick? */
static bool has_moved(void)
{
	u64 steps = M.steps + M.alone_steps;
	bool same = M.in_execution && steps == last_steps && execution == last_execution;

	last_steps = steps;
	last_execution = execution;
	return !same;
}

static void give_up(void)
{
	M.bounds |= BOUND_HANG;
	signals_leave(OUTCOME_STEPS);
}

void hang_tick(void *ucontext)
{
	u64 limit = M.options->hang * 1000;

	if (has_moved()) {
		longest = idle > longest ? idle : longest;
		idle = 0;
		ask_at = HANG_PROOF;
		return;
	}
	idle += HANG_TICK;
	if (!limit)
		return;
	if (idle >= ask_at) {
		ask_at = HANG_AGAIN * idle;
		if (machine_hooks.computes)
			machine_hooks.computes(ucontext);
	}
	if (idle >= limit && idle >= HANG_TIMES * longest) {
		idle = 0;
		give_up();
	}
}
