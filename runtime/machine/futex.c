/* SPDX-License-Identifier: ISC */
/* futex.c - see futex.h. */
#include "machine/futex.h"
#include "machine/vtime.h"
#include "machine/waiter.h"

#include <errno.h>

static bool ready(const struct thread *t, const void *obj)
{
	return waiter_of(t)->woken;
}

static const struct sync_op op_sleep = {EV_FUTEX_WAIT, ready, NULL};
static const struct sync_op op_wake = {EV_FUTEX_WAKE, NULL, NULL};

static long sleep_on(const u32 *word, u32 bits, const u64 *deadline)
{
	struct waiter w;
	bool in_time = true;

	waiter_begin(&w, word, NULL, bits);
	if (deadline)
		in_time = sync_arrive_timed(&op_sleep, word);
	else
		sync_arrive(&op_sleep, word);
	waiter_end(&w);
	if (!in_time && !w.woken) {
		vtime_reach(*deadline);
		sync_event(EV_FUTEX_WAIT, word, 0, ETIMEDOUT);
		return -ETIMEDOUT;
	}
	sync_event(EV_FUTEX_WAIT, word, 0, 0);
	return 0;
}

long futex_wait(const u32 *word, u32 expected, u32 bits, const u64 *deadline)
{
	u32 value;

	machine_drain();
	machine_read(&value, word, sizeof value);
	if (value != expected)
		return -EAGAIN;
	if (deadline && vtime_passed(*deadline))
		return -ETIMEDOUT;
	if (machine_spurious())
		return 0;
	return sleep_on(word, bits, deadline);
}

long futex_wake(const u32 *word, u32 n, u32 bits)
{
	u32 woken;

	sync_arrive(&op_wake, word);
	woken = waiters_wake(word, bits, n);
	sync_event(EV_FUTEX_WAKE, word, n, woken);
	return woken;
}
