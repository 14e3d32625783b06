/* SPDX-License-Identifier: ISC */
/* sync.h - common parts of the synchronisation objects; misuse is a finding. */
#ifndef MACHINE_WAIT_SYNC_H
#define MACHINE_WAIT_SYNC_H

#include "machine/machine.h"
#include "object/life.h"
#include "object/object.h"

/* The calling thread has misused obj by an operation of this kind; ends the execution. The event is
 * recorded first, so that the report shows the object. */
#define sync_misuse(kind, obj, ...)                                                                \
	do {                                                                                       \
		sync_event(kind, obj, 0, 0);                                                       \
		machine_fail(FINDING_MISUSE, NULL, 0, NULL, __VA_ARGS__);                          \
	} while (0)

/* May a signal or a cancellation end a wait for it? */
static inline bool sync_is_interruptible(const struct sync_op *op)
{
	return op->ready && !object_op_has(op->object_op, OP_BRIEF);
}

/*
 * static const struct sync_op NAME: operation `op` of an object whose steps are in
 * object/<object>.h; state(obj) is its state in memory. SYNC_OP() is always ready.
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

/* The same for an operation whose readiness depends on its argument, on an object for a number of
 * threads. */
#define SYNC_CROWD(name, kind, ready, crowded, op, object, state)                                  \
	static u64 name##_result(const struct thread *t, const void *obj, u64 argument)            \
	{                                                                                          \
		return object_##object##_step(op, argument, thread_id(t), state(obj)).result;      \
	}                                                                                          \
	static const struct sync_op name = {kind, ready, NULL, op, state, name##_result, crowded}

/* The same for an object whose state is kept by keep(obj, state) (sync/waiting.h). */
#define SYNC_KEPT(name, kind, ready, op, object, state, keep)                                      \
	static u64 name##_result(const struct thread *t, const void *obj, u64 argument)            \
	{                                                                                          \
		struct object_step s =                                                             \
			object_##object##_step(op, argument, thread_id(t), state(obj));            \
                                                                                                   \
		if (s.writes)                                                                      \
			keep(obj, s.next);                                                         \
		return s.result;                                                                   \
	}                                                                                          \
	static const struct sync_op name = {kind, ready, NULL, op, state, name##_result}

/* An initialisation; before: the state of an object that exists already; state: of one that was
 * initialised before, as an operation sees it. */
#define SYNC_INIT(name, holder, op, object, before, state)                                         \
	static u64 name##_result(const struct thread *t, const void *obj, u64 argument)            \
	{                                                                                          \
		return object_##object##_step(op, argument, thread_id(t), before(obj)).result;     \
	}                                                                                          \
	static u64 name##_state(const void *obj)                                                   \
	{                                                                                          \
		return sync_was_initialised(obj) ? state(obj) : sync_none(obj);                    \
	}                                                                                          \
	static const struct sync_op name = {EV_INIT, NULL, holder, op, name##_state, name##_result}

/* In this execution. Not known of all: those on stacks are always new. */
bool sync_was_initialised(const void *obj);

/* The state before the first initialisation. */
u64 sync_none(const void *obj);

/* The operation was misuse (OBJECT_MISUSE), but the state in memory does not show why: along an
 * execution graph the object was misused in an older state. */
#define sync_check_step(step, kind, obj)                                                           \
	do {                                                                                       \
		if (unlikely((step) == OBJECT_MISUSE))                                             \
			sync_misuse(kind, obj,                                                     \
				"use of an object before its initialisation, after its "           \
				"destruction, or in a state that does not allow it");              \
	} while (0)

/* Can thread t perform the operation now? */
static inline bool sync_ready(const struct sync_op *op, const void *obj, const struct thread *t)
{
	return !op->ready || op->ready(t, obj);
}

/* object_step()'s result for the calling thread and obj's state in memory. */
static inline u64 sync_result(const struct sync_op *op, const void *obj, u64 argument)
{
	return op->result ? op->result(thread_self(), obj, argument) : 0;
}

/*
 * A timed wait at an object that threads join and leave. In a graph: does it time out here, before
 * the thread joins? A choice, within the bound. On store buffers: false, as it may time out later.
 */
bool sync_times_out(void);
/* The wait that follows if it does not. *late: it has timed out. */
u64 sync_step_limited(const struct sync_op *op, const void *obj, bool *late);

/* Such a wait has timed out, but a wake-up may have come by now. True: it has, and the thread takes
 * it; else the thread has left. If the wake-up may be for another thread, this is a choice. */
bool sync_woken_late(const struct sync_op *takes, const struct sync_op *leaves, const void *obj);

/*
 * Consecutive steps on different objects. In a graph each is an event; on store buffers, where more
 * steps mean more schedules, they are one step.
 *
 * From now on (or no longer) the calling thread's operations, all of them ready, belong to its last
 * step.
 */
void sync_one_step(bool on);
/* The next operation waits until `then' is possible on obj, too. NULL: no longer. */
void sync_then(const struct sync_op *then, const void *obj);
/* The part of sync_op.ready() for operations that may have such a condition. */
bool sync_then_ready(const struct thread *t);
/* The argument of the operation that t has arrived at, for sync_op.ready(). */
u64 sync_argument(const struct thread *t);

/* A futex: if *word is as expected, the calling thread joins the sleepers, in the same step. */
bool sync_join(const struct sync_op *join, const struct sync_op *leave, u64 argument,
	const u32 *word, u32 expected);
/* The value that the kernel reads there. */
u32 sync_read_word(const u32 *word);

/* The operation named by `words' is not explored in graphs. */
void sync_needs_schedules(const char *words);

/*
 * Wait until a deadline. *late: it has passed. Returns sync_step()'s result for `waits`, or if late
 * for `tries`, which has then failed.
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
 * Around libc's own initialiser of obj, which only fills in the object; no effect natively. It is a
 * step: buffered stores to the object must not undo it later, and other threads may run before.
 * state: as in object.h. Returns result.
 */
void sync_init_begins(const void *obj, u64 state);
/* The same for a lock, which must not be in use; op: SYNC_INIT(). */
void sync_init_lock(const struct sync_op *op, const void *obj, const char *what);
/* The same for an object at which threads may wait without a trace in its state. */
void sync_init_waited(const struct sync_op *op, const void *obj, u64 argument, const char *what);
/* On store buffers: `doing' this to an object that threads wait for is misuse. */
void sync_check_unused(
	enum event_kind kind, const void *obj, const char *doing, const char *what);
int sync_init_ends(const void *obj, u64 argument, int result);

#endif
