/* SPDX-License-Identifier: ISC */
/* sync_object.c - see sync.h. */
#include "machine/core.h"
#include "machine/sync.h"
#include "object/step.h"
#include "process/fiber.h"
#include "sync/waiter.h"
#include "sync/waiting.h"

const char *sync_thread(int id)
{
	const struct thread *t = id < 0 ? NULL : thread_by_id((unsigned)id);

	return t ? thread_words(thread_number(t)) : "no thread";
}

/* Before its initialisation an object is none. */
static u64 nothing(const void *obj)
{
	return OBJECT_DESTROYED;
}

SYNC_OP(op_init, EV_INIT, OBJECT_INIT, life, nothing);

void sync_init_begins(const void *obj, u64 state)
{
	if (machine_exploring)
		sync_step(&op_init, obj, state);
}

SYNC_OP(op_init_lock, EV_INIT, OBJECT_INIT_LOCK, life, nothing);
SYNC_OP(op_init_cond, EV_INIT, OBJECT_INIT_COND, cond, nothing);

/* There an object ends with its function, locked or not, and the next one finds what it has
 * left. */
static bool is_on_stack(const void *obj)
{
	return (u64)(uintptr_t)obj - FIBER_STACKS < (u64)THREADS_MAX * FIBER_STACK_STRIDE;
}

/* The threads that have been joined have it no longer, whatever it says. */
static bool is_there(int id)
{
	const struct thread *t = id < 0 || id >= THREADS_MAX ? NULL : thread_by_id((unsigned)id);

	return t && !thread_is_joined(t);
}

void sync_init_lock(const void *obj, int (*holder)(const void *obj), const char *what)
{
	u64 locked;
	int id;

	if (!machine_exploring)
		return;
	if (is_on_stack(obj)) {
		sync_init_begins(obj, 0);
		return;
	}
	locked = sync_step(&op_init_lock, obj, 0);
	id = locked || !M.graph ? holder(obj) : -1;
	if (is_there(id))
		sync_misuse(EV_INIT, obj, "initialisation of a %s that %s has locked", what,
			sync_thread(id));
}

void sync_init_cond(const void *obj)
{
	u64 n;

	if (!machine_exploring)
		return;
	n = sync_step(&op_init_cond, obj, 0);
	if (!M.graph)
		n = machine_graph ? object_step(OBJECT_INIT_COND, 0, 0, waiting_state(obj)).result
				  : waiters_count(obj, WAITER_ANY);
	if (n)
		sync_misuse(EV_INIT, obj, "initialisation of a condition that %s on",
			n == 1 ? "a thread waits" : "threads wait");
}

/* Does it stand at an operation on obj that cannot be carried out? */
static bool is_blocked_at(const struct thread *t, const void *obj)
{
	return t != M.cur && t->op && t->obj == obj && !sync_ready(t->op, obj, t);
}

void sync_check_unused(enum event_kind kind, const void *obj, const char *doing)
{
	for (u32 i = 0; !machine_graph && i < M.nthreads; i++) {
		struct thread *t = &M.thread[M.created[i]];

		if (is_blocked_at(t, obj))
			sync_misuse(kind, obj, "%s that %s waits for", doing,
				sync_thread((int)thread_id(t)));
	}
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
