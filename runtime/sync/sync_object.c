/* SPDX-License-Identifier: ISC */
/* sync_object.c - see sync.h. */
#include "machine/core.h"
#include "machine/wait/sync.h"
#include "object/waiters.h"
#include "process/fiber.h"
#include "sync/waiting.h"

u64 sync_none(const void *obj)
{
	return OBJECT_DESTROYED;
}

SYNC_INIT(op_init, NULL, OBJECT_INIT, life, sync_none, sync_none);

/* The first ones of this execution: of these, few are initialised again. */
static const void *initialised[256];
static PER_EXECUTION u32 ninitialised;

bool sync_was_initialised(const void *obj)
{
	for (u32 i = 0; i < ninitialised; i++)
		if (initialised[i] == obj)
			return true;
	return false;
}

void sync_init_begins(const void *obj, u64 state)
{
	if (machine_exploring)
		sync_step(&op_init, obj, state);
}

/* An object on a stack ends with its function, locked or not, and the next object there finds its
 * contents. */
static bool is_on_fiber_stack(const void *obj)
{
	return (u64)(uintptr_t)obj - FIBER_STACKS < (u64)THREADS_MAX * FIBER_STACK_STRIDE;
}

/* Can the thread hold an object? Not after it has been joined, even if the object names it. */
static bool is_there(int id)
{
	const struct thread *t = id < 0 || id >= THREADS_MAX ? NULL : thread_by_id((unsigned)id);

	return t && !thread_is_joined(t);
}

void sync_init_lock(const struct sync_op *op, const void *obj, const char *what)
{
	int id;

	if (!machine_exploring)
		return;
	if (is_on_fiber_stack(obj)) {
		sync_init_begins(obj, 0);
		return;
	}
	id = sync_step(op, obj, 0) ? op->holder(obj) : -1;
	if (is_there(id))
		sync_misuse(EV_INIT, obj, "initialisation of a %s that %s has locked", what,
			sync_thread(id));
}

void sync_init_waited(const struct sync_op *op, const void *obj, u64 argument, const char *what)
{
	if (!machine_exploring)
		return;
	if (sync_step(op, obj, argument) == OBJECT_MISUSE)
		sync_misuse(EV_INIT, obj, "initialisation of a %s that a thread waits for", what);
	sync_check_unused(EV_INIT, obj, "initialisation", what);
}

int sync_init_ends(const void *obj, u64 argument, int result)
{
	if (!machine_exploring)
		return result;
	if (!result && ninitialised < array_size(initialised))
		initialised[ninitialised++] = obj;
	waiting_keep(obj, 0); /* and check the waiters again */
	sync_event(EV_INIT, obj, argument, (u64)result);
	return result;
}
