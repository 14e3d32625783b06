/* SPDX-License-Identifier: ISC */
/* sync_object.c - see sync.h. */
#include "machine/sync.h"
#include "sync/waiting.h"

const char *sync_thread(int id)
{
	const struct thread *t = id < 0 ? NULL : thread_by_id((unsigned)id);

	return t ? thread_words(thread_number(t)) : "nobody";
}

/* Before its initialisation an object is none. */
static u64 nothing(const void *obj)
{
	return OBJECT_DESTROYED;
}

static const struct sync_op op_init = SYNC_ALWAYS(EV_INIT, OBJECT_INIT, nothing);

void sync_init_begins(const void *obj, u64 state)
{
	if (machine_exploring)
		sync_step(&op_init, obj, state);
}

int sync_init_ends(const void *obj, u64 argument, int result)
{
	if (!machine_exploring)
		return result;
	waiting_forget(obj);
	sync_changed(obj);
	sync_event(EV_INIT, obj, argument, (u64)result);
	return result;
}
