/* SPDX-License-Identifier: ISC */
/* sync_object.c - see sync.h. */
#include "machine/sync.h"

#include <stdio.h>

const char *sync_thread(int id)
{
	static char name[16];
	const struct thread *t = id < 0 ? NULL : thread_by_id((unsigned)id);

	if (!t)
		return "nobody";
	if (!thread_number(t))
		return "main";
	snprintf(name, sizeof name, "T%u", thread_number(t));
	return name;
}

static const struct sync_op op_init = SYNC_ALWAYS(EV_INIT);

void sync_init_begins(const void *obj)
{
	if (machine_exploring)
		sync_arrive(&op_init, obj);
}

int sync_init_ends(const void *obj, u64 argument, int result)
{
	if (!machine_exploring)
		return result;
	sync_changed(obj);
	sync_event(EV_INIT, obj, argument, (u64)result);
	return result;
}
