/* SPDX-License-Identifier: ISC */
/* sync.h - common parts of the synchronisation objects; misuse is a finding. */
#ifndef MACHINE_SYNC_H
#define MACHINE_SYNC_H

#include "machine/machine.h"
#include "object/life.h"

/* The calling thread has misused obj by an operation of this kind; ends the execution. The event is
 * recorded first, so that the report shows the object. */
#define sync_misuse(kind, obj, ...)                                                                \
	do {                                                                                       \
		sync_event(kind, obj, 0, 0);                                                       \
		machine_fail(FINDING_MISUSE, NULL, 0, NULL, __VA_ARGS__);                          \
	} while (0)

/*
 * static const struct sync_op NAME: operation `op` of an object whose steps are in
 * object/<object>.h, and whose state as it is in memory is state(obj). SYNC_OP() can always be
 * carried out.
 */
#define SYNC_WAITS(name, kind, holder, op, object, state)                                          \
	static __attribute__((flatten)) bool name##_ready(                                         \
		const struct thread *t, const void *obj)                                           \
	{                                                                                          \
		return object_##object##_step(op, 0, thread_id(t), state(obj)).ready;              \
	}                                                                                          \
	SYNC_OBJECT(name, kind, name##_ready, holder, op, object, state)
#define SYNC_OP(name, kind, op, object, state)                                                     \
	SYNC_OBJECT(name, kind, NULL, NULL, op, object, state)
#define SYNC_OBJECT(name, kind, ready, holder, op, object, state)                                  \
	static __attribute__((flatten)) u64 name##_result(                                         \
		const struct thread *t, const void *obj, u64 argument)                             \
	{                                                                                          \
		return object_##object##_step(op, argument, thread_id(t), state(obj)).result;      \
	}                                                                                          \
	static const struct sync_op name = {kind, ready, holder, op, state, name##_result}

/* The operation was misuse (OBJECT_MISUSE), and the caller has not found why: along an execution
 * graph the object was misused in an older state than the one in memory. */
#define sync_check_step(step, kind, obj)                                                           \
	do {                                                                                       \
		if (unlikely((step) == OBJECT_MISUSE))                                             \
			sync_misuse(kind, obj, "use of an object that is destroyed, or not in a "  \
					       "state that allows it");                            \
	} while (0)

/* Is it possible for thread t now? */
static inline bool sync_ready(const struct sync_op *op, const void *obj, const struct thread *t)
{
	return !op->ready || op->ready(t, obj);
}

/* object_step()'s result, of the calling thread and obj as it is in memory. */
static inline u64 sync_result(const struct sync_op *op, const void *obj, u64 argument)
{
	return op->result ? op->result(thread_self(), obj, argument) : 0;
}

/* In a graph: does a timed wait time out here? A choice, unless the bound is met. */
bool sync_times_out(void);
/* In a graph: the wait that follows when it does not. */
u64 sync_step_limited(const struct sync_op *op, const void *obj);

/*
 * Wait in time. *late: the time was over first. The answer is sync_step()'s, of `waits`, or when
 * late of `tries`, which has then failed.
 */
u64 sync_step_timed(const struct sync_op *waits, const struct sync_op *tries, const void *obj,
	bool *late);

/* A thread as the objects keep their owner: never 0, and never a native thread id (those end at
 * 2^22), so that a lock taken natively before the exploration is known as the main thread's. */
#define SYNC_OWNER 0x40000000

static inline int sync_owner(const struct thread *t)
{
	return (int)(SYNC_OWNER | thread_id(t));
}

/* The thread id behind an owner; 0 (the main thread) for one from before the exploration. */
static inline int sync_owner_id(int owner)
{
	return owner & SYNC_OWNER ? owner & ~SYNC_OWNER : 0;
}

/* Its name in reports: "main", "T2"; "no thread" for -1. Valid until the next call. */
const char *sync_thread(int id);

/*
 * Around libc's own initialiser of obj, which only fills the object in; nothing happens natively.
 * It is a step: stores to the object that are still under way must not undo it, and others may come
 * before. state: the one that object.h knows. Returns result.
 */
void sync_init_begins(const void *obj, u64 state);
/* The same of a lock and of a condition, which must not be in use; holder: its certain owner,
 * or -1. */
void sync_init_lock(const void *obj, int (*holder)(const void *obj), const char *what);
void sync_init_cond(const void *obj);
/* On store buffers: `doing' of an object that threads wait for is misuse. */
void sync_check_unused(enum event_kind kind, const void *obj, const char *doing);
int sync_init_ends(const void *obj, u64 argument, int result);

#endif
