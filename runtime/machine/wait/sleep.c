/* SPDX-License-Identifier: ISC */
/* sleep.c - sleeps, and clocks that a thread waits by; see machine.h, vtime.h. */
#include "machine/core.h"
#include "machine/wait/clock_wait.h"
#include "machine/wait/delivery.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/vtime.h"

/* Time that has passed for others has passed for this thread, too. */
static void look_at_time(void)
{
	if (M.engine->look)
		M.engine->look(0);
}

/* --sleepers last. False: interrupted. *slept: false if there was nothing to wait for. */
static bool sleep_last(u64 nanoseconds, bool *slept)
{
	enum interrupt_end end;

	look_at_time();
	M.cur->deadline = vtime_after(nanoseconds);
	do {
		*slept = !interrupt_begins(CALL_FAILS) && M.engine->sleep(nanoseconds);
		end = interrupt_ends();
	} while (end == INTERRUPT_AGAIN);
	if (end)
		look_at_time();
	return !end;
}

bool machine_sleep(u64 nanoseconds)
{
	bool slept = false;

	sync_event(EV_SLEEP, NULL, 0, nanoseconds);
	M.cur->deadline = vtime_after(nanoseconds);
	if (M.options->sleepers == SLEEPERS_LAST && nanoseconds) {
		if (!sleep_last(nanoseconds, &slept))
			return false;
	} else if (delivery_is_possible() && delivery_now() &&
		   machine_choose(2, CHOICE_INTERRUPT)) {
		return false;
	}
	if (!slept) {
		vtime_advance(nanoseconds);
		M.engine->yield();
	}
	return true;
}

/* Not by a signal: this is no call that may be interrupted. */
static void sleep_by_clock(u64 nanoseconds)
{
	sync_event(EV_SLEEP, NULL, 0, nanoseconds);
	if (M.options->sleepers == SLEEPERS_LAST) {
		look_at_time();
		M.cur->deadline = vtime_after(nanoseconds);
		if (M.engine->sleep(nanoseconds))
			return;
	}
	vtime_advance(nanoseconds);
}

u64 vtime_read(void)
{
	u64 waits = clock_wait_iteration();

	if (unlikely(waits))
		sleep_by_clock(waits);
	machine_progress();
	return vtime_now();
}
