/* SPDX-License-Identifier: ISC */
/* once.c - see once.h. */
#include "machine/once.h"
#include "machine/sync.h"

#define RUNNING 1
#define DONE	2
#define SHIFT	2

static int holder(const void *obj)
{
	int state = *(const int *)obj;

	return state & RUNNING ? state >> SHIFT : -1;
}

static bool ready(const struct thread *t, const void *obj)
{
	return !(*(const int *)obj & RUNNING);
}

static const struct sync_op op_once = {EV_ONCE, ready, holder};
static const struct sync_op op_done = SYNC_ALWAYS(EV_ONCE);

void once_run(int *once, void (*fn)(void))
{
	sync_arrive(&op_once, once);
	if (*once & DONE) {
		sync_event(EV_ONCE, once, 0, DONE);
		return;
	}
	*once = RUNNING | (int)thread_id(thread_self()) << SHIFT;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, RUNNING);
	fn();
	sync_arrive(&op_done, once);
	*once = DONE;
	sync_changed(once);
	sync_event(EV_ONCE, once, 0, DONE);
}
