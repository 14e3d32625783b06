/* SPDX-License-Identifier: ISC */
/* futex.c - see futex.h. */
#include "sync/futex.h"
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "object/waiters.h"
#include "machine/wait/vtime.h"
#include "sync/waiting.h"

#include <errno.h>

static bool sleep_ready(const struct thread *t, const void *obj)
{
	return object_futex_step(OBJECT_FUTEX_SLEEP, 0, thread_id(t), waiting_state(obj)).ready;
}

SYNC_KEPT(op_join, EV_FUTEX_WAIT, NULL, OBJECT_FUTEX_JOIN, futex, waiting_state, waiting_keep);
SYNC_KEPT(op_leave, EV_FUTEX_WAIT, NULL, OBJECT_FUTEX_LEAVE, futex, waiting_state, waiting_keep);
SYNC_KEPT(op_sleep, EV_FUTEX_WAIT, sleep_ready, OBJECT_FUTEX_SLEEP, futex, waiting_state,
	waiting_keep);
SYNC_KEPT(op_wake, EV_FUTEX_WAKE, NULL, OBJECT_FUTEX_WAKE, futex, waiting_state, waiting_keep);

static long timed_out(const u32 *word, u64 deadline)
{
	vtime_reach(deadline);
	sync_event(EV_FUTEX_WAIT, word, 0, ETIMEDOUT);
	return -ETIMEDOUT;
}

static long sleep_on_futex(const u32 *word, const u64 *deadline)
{
	bool late = false;

	if (deadline)
		sync_step_limited(&op_sleep, word, &late);
	else
		sync_step(&op_sleep, word, 0);
	if (late && !sync_woken_late(&op_sleep, &op_leave, word))
		return timed_out(word, *deadline);
	sync_event(EV_FUTEX_WAIT, word, 0, 0);
	return 0;
}

long futex_wait(const u32 *word, u32 expected, u32 bits, const u64 *deadline)
{
	bool late;

	late = deadline && (vtime_passed(*deadline) || sync_times_out());
	if (late || machine_spurious()) { /* as for conditions, it does not join */
		if (sync_read_word(word) != expected)
			return -EAGAIN;
		if (late)
			return timed_out(word, *deadline);
		sync_event(EV_FUTEX_WAIT, word, 1, 0);
		return 0;
	}
	waiting_check();
	if (!sync_join(&op_join, &op_leave, waiters_argument(0, bits), word, expected))
		return -EAGAIN;
	return sleep_on_futex(word, deadline);
}

/* --- a wake-up of some of the waiters ------------------------------------------- */

/* Decide which of the threads that may have been woken were. */
static u64 decide_woken(u64 state)
{
	static u16 thread[WAITERS_MAX];

	while (waiters_woken(state)) {
		u32 n = waiters_list(state, WAITERS_ANY, thread), may = 0;

		for (u32 i = 0; i < n; i++)
			if (object_futex_step(OBJECT_FUTEX_SLEEP, 0, thread[i], state).ready)
				thread[may++] = thread[i];
		state = object_futex_step(OBJECT_FUTEX_SLEEP, 0,
			thread[machine_choose(may, CHOICE_SCHEDULE)], state)
				.next;
	}
	return state;
}

/* Wake n of the sleepers, in ascending order: each choice leaves enough sleepers for the rest, so
 * there is only one way to choose each set of n. */
static u32 wake_some(const u32 *word, u32 n, u32 bits)
{
	static u16 thread[WAITERS_MAX];
	u64 state = decide_woken(waiting_state(word));
	u32 there = waiters_list(state, bits, thread), at = 0;

	if (n > there)
		n = there;
	for (u32 woken = 0; woken < n; woken++) {
		at += machine_choose(there - at - (n - woken) + 1, CHOICE_SCHEDULE);
		state = object_futex_step(OBJECT_FUTEX_LEAVE, 0, thread[at++], state).next;
	}
	waiting_keep(word, state);
	return n;
}

long futex_wake(const u32 *word, u32 n, u32 bits)
{
	u64 woken;

	woken = sync_step(&op_wake, word, waiters_argument(n, bits));
	if (woken == OBJECT_CHOOSE) {
		sync_needs_schedules("FUTEX_WAKE_BITSET that may wake only some of the waiters is "
				     "not explored in graphs");
		woken = wake_some(word, n, bits);
	}
	sync_event(EV_FUTEX_WAKE, word, n, woken);
	return (long)woken;
}
