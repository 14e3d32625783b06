/* SPDX-License-Identifier: ISC */
/* once.c - see once.h. */
#include "sync/once.h"
#include "machine/core.h"
#include "machine/sync.h"
#include "object/once.h"

#define RUNNING 1
#define DONE	2
#define SHIFT	2

static int once_holder(const void *obj)
{
	int state = *(const int *)obj;

	return state & RUNNING ? state >> SHIFT : -1;
}

/* As object.h has it. */
static u64 once_state(const void *obj)
{
	int v = *(const int *)obj;

	return v & DONE ? 2 : v & RUNNING;
}

SYNC_WAITS(op_once, EV_ONCE, once_holder, OBJECT_ONCE_ENTER, once, once_state);
SYNC_OP(op_done, EV_ONCE, OBJECT_ONCE_DONE, once, once_state);

void once_run(int *once, void (*fn)(void))
{
	u64 step = sync_step(&op_once, once, 0);

	if (!step) {
		sync_event(EV_ONCE, once, 0, ONCE_DONE);
		return;
	}
	*once = RUNNING | (int)thread_id(thread_self()) << SHIFT;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, ONCE_RUNS);
	machine_returns(); /* padding in fn's frame is the same, recorded or not */
	fn();
	machine_entered(); /* completes announced stores (tsan_store.h) */
	sync_step(&op_done, once, 0);
	*once = DONE;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, ONCE_RETURNED);
}
