/* SPDX-License-Identifier: ISC */
/* futex.c - see futex.h. */
#include "sync/futex.h"
#include "graph/execute.h"
#include "machine/sync.h"
#include "object/step.h"
#include "machine/vtime.h"
#include "sync/waiter.h"
#include "sync/waiting.h"

#include <errno.h>

static bool ready(const struct thread *t, const void *obj)
{
	return waiter_of(t)->woken;
}

static const struct sync_op op_sleep = {EV_FUTEX_WAIT, ready, NULL};
SYNC_OP(op_wake, EV_FUTEX_WAKE, OBJECT_FUTEX_WAKE, futex, waiting_state);
SYNC_OP(op_join, EV_FUTEX_WAIT, OBJECT_FUTEX_JOIN, futex, waiting_state);
SYNC_OP(op_leave, EV_FUTEX_WAIT, OBJECT_FUTEX_LEAVE, futex, waiting_state);

SYNC_WAITS(op_graph_sleep, EV_FUTEX_WAIT, NULL, OBJECT_FUTEX_SLEEP, futex, waiting_state);

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

/* --- in an execution graph ------------------------------------------------------------------- */

static void check_bits(u32 bits)
{
	if (bits == WAITER_ANY)
		return;
	if (M.graph)
		execute_unsupported("FUTEX_WAIT_BITSET is not explored in graphs");
	machine_refuse("FUTEX_WAIT_BITSET is not explored in graphs");
}

static u32 graph_read_word(const u32 *word)
{
	struct label l = {.type = LABEL_READ, .order = __ATOMIC_RELAXED, .size = sizeof *word};
	u32 value;

	if (M.graph && execute_begun()) {
		l.loc = execute_location((u64)(uintptr_t)word, sizeof *word);
		return (u32)execute_step(&l).value;
	}
	machine_read(&value, word, sizeof value);
	return value;
}

/* When it does not sleep in the end, that it had joined is not observable. If a wake-up has come in
 * between, to join after it would have been the same: another execution. */
static long leave(const u32 *word)
{
	if (waiting_step(&op_leave, word, 0))
		machine_abandon();
	return -EAGAIN;
}

static long graph_wait(const u32 *word, u32 expected, const u64 *deadline)
{
	bool late = deadline && (vtime_passed(*deadline) || sync_times_out());

	if (late || machine_spurious()) { /* it does not join: as for conditions */
		if (graph_read_word(word) != expected)
			return -EAGAIN;
		if (late)
			vtime_reach(*deadline);
		sync_event(EV_FUTEX_WAIT, word, 0, late ? ETIMEDOUT : 0);
		return late ? -ETIMEDOUT : 0;
	}
	waiting_check("futex");
	waiting_step(&op_join, word, 0);
	if (graph_read_word(word) != expected)
		return leave(word);
	if (deadline)
		waiting_step_limited(&op_graph_sleep, word);
	else
		waiting_step(&op_graph_sleep, word, 0);
	sync_event(EV_FUTEX_WAIT, word, 0, 0);
	return 0;
}

/* --- both ------------------------------------------------------------------------------------ */

long futex_wait(const u32 *word, u32 expected, u32 bits, const u64 *deadline)
{
	u32 value;

	if (machine_graph) {
		check_bits(bits);
		return graph_wait(word, expected, deadline);
	}
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

	if (machine_graph) {
		check_bits(bits);
		woken = (u32)waiting_step(&op_wake, word, n);
		sync_event(EV_FUTEX_WAKE, word, n, woken);
		return woken;
	}
	sync_arrive(&op_wake, word);
	woken = waiters_wake(word, bits, n);
	sync_event(EV_FUTEX_WAKE, word, n, woken);
	return woken;
}
