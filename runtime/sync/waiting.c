/* SPDX-License-Identifier: ISC */
/* waiting.c - see waiting.h. */
#include "sync/waiting.h"
#include "graph/execute.h"
#include "machine/sync.h"

#define OBJECTS 256

static PER_EXECUTION struct { const void *obj; u64 state; } table[OBJECTS];
static PER_EXECUTION u32 used;

static u32 find(const void *obj)
{
	u32 i = 0;

	while (i < used && table[i].obj != obj)
		i++;
	return i;
}

u64 waiting_state(const void *obj)
{
	u32 i = find(obj);

	return i < used ? table[i].state : 0;
}

void waiting_forget(const void *obj)
{
	u32 i = find(obj);

	if (i < used)
		table[i] = table[--used];
}

static void keep(const void *obj, u64 state)
{
	u32 i = find(obj);

	if (i == used && used++ == OBJECTS)
		machine_refuse("limit: more than %u conditions or futexes are waited for", OBJECTS);
	table[i].obj = obj;
	table[i].state = state;
	sync_changed(obj);
}

static void carry_out(const struct sync_op *op, const void *obj, u64 argument)
{
	struct object_step s;

	if (M.graph && execute_begun())
		return;
	s = object_step(op->object_op, argument, thread_id(thread_self()), waiting_state(obj));
	if (s.writes)
		keep(obj, s.next);
}

u64 waiting_step(const struct sync_op *op, const void *obj, u64 argument)
{
	u64 result = sync_step(op, obj, argument);

	carry_out(op, obj, argument);
	return result;
}

u64 waiting_step_limited(const struct sync_op *op, const void *obj)
{
	u64 result = sync_step_limited(op, obj);

	carry_out(op, obj, 0);
	return result;
}

void waiting_check(const char *what)
{
	if (thread_id(thread_self()) < OBJECT_WAITERS)
		return;
	if (M.graph)
		execute_unsupported("limit: a thread with a number above %u waits for a %s",
			OBJECT_WAITERS - 1, what);
	machine_refuse("limit: a thread with a number above %u waits for a %s", OBJECT_WAITERS - 1,
		what);
}
