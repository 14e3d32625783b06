/* SPDX-License-Identifier: ISC */
/*
 * object.h - synchronisation objects as values: operations are RMWs that may have to wait.
 *
 * An object is a location whose value is its abstract state; an operation reads a state and,
 * unless it leaves it as it is, writes the next one directly after. So all operations that change
 * an object are totally ordered by co, and the execution graph needs no notion of a lock. The
 * program's objects (sync/mutex.c ...) are kept in step with it. To add an object: its rows in
 * object.def, and a file here.
 *
 * Not here. Facts that no other thread can change need no step, and are not operations: that the
 * thread owns the mutex (relocking, recursively or with an error; unlocking one of several levels;
 * an unlock that is an error) or is the writer. A timed wait is LABEL_CHOOSE, then either the
 * operation that waits (LABEL_TIMED: it does not wait for ever) or the one that tries, after which
 * a success is LABEL_BLOCK, as it equals the other choice. A condition wait that times out, or ends
 * spuriously, does not join the waiters: the difference is not observable.
 */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include "event/event.h"

enum object_op {
	OBJECT_NONE,
#define OBJECT_OP(name, words, event, object, traits) OBJECT_##name,
#include "object/object.def"
#undef OBJECT_OP
	OBJECT_OPS,
	OBJECT_REPEAT, /* LABEL_SPIN: the checks since the last progress found nothing; repeat */
};

enum object_trait {
	OP_WAITS = 1 << 0,     /* it may have to wait */
	OP_TRIES = 1 << 1,     /* it never waits, but may fail */
	OP_LOCK = 1 << 2,      /* of a lock: undone by the opposite operation */
	OP_QUEUE = 1 << 3,     /* of a condition or a futex */
	OP_ROUND = 1 << 4,     /* of a barrier's round: LABEL_ARRIVE, LABEL_LEAVE */
	OP_UNORDERED = 1 << 5, /* not an event in a graph: only other synchronisation can tell the
				* thread that the object is no longer used */
	OP_LOOKS = 1 << 6,     /* one that does not change the state is not progress */
	OP_INIT = 1 << 7,      /* misuse if threads wait, which is not in the state: in a graph it
				* may fail spuriously (E_RARE; failure/init_graph.h) */
	OP_KERNEL = 1 << 8,    /* of a kernel object: all of these are seq_cst */
	OP_BRIEF = 1 << 9,     /* it waits inside the kernel: no signal ends that, nor a
				* cancellation */
	OP_USES = 1 << 10,    /* it uses the memory of the object, which has to be allocated */
	OP_NAMELESS = 1 << 11, /* no effect depends on which thread performs it: threads that do
				* the same may be exchanged (trust/trust_symmetry.h) */
	/* Lipton's theorem (traces/traces_step.c): may it be exchanged with the steps of other
	 * threads after it, before it, or neither? None of these: not known. */
	OP_RIGHT_MOVER = 1 << 12,
	OP_LEFT_MOVER = 1 << 13,
	OP_NO_MOVER = 1 << 14,
	/* Mutual exclusion: the thread owns the object afterwards, if it succeeds; no longer. */
	OP_TAKES = 1 << 15,
	OP_RELEASES = 1 << 16,
	/* Monitors: it begins a wait, and the mutex is unlocked next; ends one, and the mutex is
	 * locked next; wakes a thread; all threads. */
	OP_WAIT_BEGINS = 1 << 17,
	OP_WAIT_ENDS = 1 << 18,
	OP_WAKES_ONE = 1 << 19,
	OP_WAKES_ALL = 1 << 20,
	OP_INCREMENTS = 1 << 21, /* it adds one: two of these may be exchanged */
	OP_LIFE = 1 << 22,    /* it begins or ends the life of the object */
	OP_HISTORY = 1 << 23, /* its argument stands for all that the thread has read */
	OP_COMPARED = 1 << 24, /* the state is part of the program's (prove/state.h), by more than
				* the kind of the event */
	OP_CANCELS = 1 << 25, /* what it waits for ends any wait: a cancellation */
	OP_CALL = 1 << 26,    /* its argument is the number of a call that a signal may end */
	OP_EITHER = 1 << 27,  /* the thread may wait at a second object as well: LABEL_EITHER */
};

extern const u32 object_traits[OBJECT_OPS];

/* Has the operation any of these traits? */
static inline bool object_op_has(u32 op, u32 traits)
{
	return op < OBJECT_OPS && object_traits[op] & traits;
}

/* All of them? */
static inline bool object_op_has_all(u32 op, u32 traits)
{
	return op < OBJECT_OPS && (object_traits[op] & traits) == traits;
}

/* Does it wait until it has the object alone: the lock of a mutex? */
static inline bool object_op_locks(u32 op)
{
	return object_op_has_all(op, OP_TAKES | OP_WAITS);
}

#define OBJECT_DESTROYED UINT64_MAX /* state: destroyed or never initialised */
#define OBJECT_DEAD	 (1ull << 62) /* state: its owner has exited */
#define OBJECT_GONE	 (1ull << 61) /* state: unlocked after that, not made consistent */
#define OBJECT_UNKNOWN_OWNER 0xffffu /* as an owner + 1: locked before threads were counted */

/* Results of an attempt to lock a robust mutex. */
#define OBJECT_OWNER_DEAD      2 /* taken, from an owner that has exited */
#define OBJECT_NOT_RECOVERABLE 3 /* it will never be taken again */

/* A result: misuse. The state is unchanged; the machine determines the kind. */
#define OBJECT_MISUSE UINT64_MAX
/* Of FUTEX_WAKE: the threads that it wakes have to be chosen (waiters.c). */
#define OBJECT_CHOOSE (UINT64_MAX - 1)
/* Of an operation that waits: it was interrupted, and has had no effect
 * (machine/wait/interrupt.h). */
#define OBJECT_INTERRUPTED (UINT64_MAX - 2)

struct object_step {
	bool ready;   /* it is possible now */
	bool writes;  /* it changes the state */
	bool acquire, release;
	u64 next;     /* the state afterwards */
	u64 result;   /* the operation's result: the key of the thread's next label */
};

/*
 * The effect of a thread's operation on an object in `state`. One that does not write is a relaxed
 * read (except for `acquire`) of any state that it may see, not only the last.
 */
struct object_step object_step(enum object_op op, u64 argument, u32 thread, u64 state);

/* The thread that has a lock in this state, or -1; op: an operation of it. */
i32 object_owner(enum object_op op, u64 state);

/* The event shown for a thread that waits at op. */
enum event_kind object_op_event(enum object_op op);

/* For messages about divergence. */
const char *object_op_name(enum object_op op);

#endif
