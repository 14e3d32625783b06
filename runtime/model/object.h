/* SPDX-License-Identifier: ISC */
/*
 * object.h - synchronisation objects as values: operations are RMWs that may have to wait.
 *
 * An object is a location whose value is its abstract state; an operation reads a state and,
 * unless it leaves it as it is, writes the next one directly after. So all operations that change
 * an object are totally ordered by co, and the execution graph needs no notion of a lock. The
 * runtime's own objects (sync/mutex.c ...), run in that order, come to the same states: tests
 * hold them together.
 *
 * What is not here. What a thread knows without a step, because no other thread can change it, is
 * no operation: that it owns the mutex (locks it again, recursively or in vain; unlocks one of
 * several levels; may not unlock it) or is the writer. A timed wait is LABEL_CHOOSE, then either
 * the operation that waits (LABEL_TIMED: it does not wait for ever) or the one that tries, after
 * which a success is LABEL_BLOCK, as it is the same as the other choice. A condition wait that
 * times out, or ends for no reason, does not join the waiters: the difference is not observable.
 * Barriers have labels of their own.
 */
#ifndef MODEL_OBJECT_H
#define MODEL_OBJECT_H

#include "base/base.h"

enum object_op {
	OBJECT_NONE,

	/* Mutex, spinlock. State: 0 = free, owner + 1, or of a robust mutex OBJECT_DEAD,
	 * OBJECT_GONE. */
	OBJECT_LOCK,
	OBJECT_TRYLOCK, /* result 1: taken, 0: busy; of both: OBJECT_OWNER_DEAD,
			   OBJECT_NOT_RECOVERABLE */
	OBJECT_UNLOCK,	/* the state becomes `argument` */

	/* Read-write lock. State: writer + 1 | readers << 16 | announced writers << 32. Writers
	 * announce themselves when readers have to let them go first. */
	OBJECT_RDLOCK,
	OBJECT_TRYRDLOCK, /* result 1: taken, 0: busy */
	OBJECT_WRLOCK,
	OBJECT_TRYWRLOCK,
	OBJECT_ANNOUNCE,
	OBJECT_ANNOUNCED_WRLOCK,    /* these take the announcement back, */
	OBJECT_ANNOUNCED_TRYWRLOCK, /* this one even if busy */
	OBJECT_RWUNLOCK,

	/* Semaphore. State: its value. */
	OBJECT_SEM_WAIT,
	OBJECT_SEM_TRYWAIT, /* result 1: taken */
	OBJECT_SEM_POST,    /* result 1: overflow */
	OBJECT_SEM_VALUE,   /* result: the value */

	/* Once. State: 0 new, 1 running, 2 done. */
	OBJECT_ONCE_ENTER, /* result 1: the caller has to run it, 0: done */
	OBJECT_ONCE_DONE,

	/* Condition; futex. State: see object.c. */
	OBJECT_COND_WAIT, /* joins the waiters; the unlock is the next operation, of the mutex,
			   * whose object_tag() is the argument; misuse if those who wait have used
			   * another one */
	OBJECT_COND_WAKE, /* waits to be woken; the lock is the next operation, of the mutex */
	OBJECT_COND_SIGNAL,
	OBJECT_COND_BROADCAST,
	OBJECT_FUTEX_JOIN,  /* then the word is read, then LEAVE or SLEEP */
	OBJECT_FUTEX_LEAVE, /* result 1: a wake-up had counted on the thread: LABEL_BLOCK */
	OBJECT_FUTEX_SLEEP, /* waits to be woken */
	OBJECT_FUTEX_WAKE,  /* `argument` sleepers; result: how many */

	OBJECT_INIT,	  /* the state becomes `argument`, whatever it was */
	OBJECT_INIT_LOCK, /* result 1: it was locked */
	OBJECT_INIT_COND, /* result: threads that waited and had not been woken */
	OBJECT_DESTROY,	  /* mutex, spinlock, read-write lock: not while it is locked */
	OBJECT_SEM_DESTROY,
	OBJECT_COND_DESTROY, /* not while there are waiters */

	/* What threads share and nothing else is known about: a generator of random numbers, a
	 * file. The state is `argument`, which stands for all that the last caller had done; the
	 * result is the state. */
	OBJECT_ORDERED,
	OBJECT_OPS,

	OBJECT_ARRIVE =
		OBJECT_OPS, /* a struct sync_op's way to say LABEL_ARRIVE; argument: threads */
	OBJECT_LEAVE,	    /* LABEL_LEAVE */
};

#define OBJECT_DESTROYED UINT64_MAX /* state: destroyed or never initialised */
#define OBJECT_DEAD	 (1ull << 62) /* state: its owner has exited */
#define OBJECT_GONE	 (1ull << 61) /* state: unlocked after that, not made consistent */
#define OBJECT_SOMEBODY	 0xffffu    /* as an owner + 1: locked before threads were counted */
#define OBJECT_WAITERS	 13 /* threads with a lower number may wait for a condition, a futex */

/* Results of an attempt to lock a robust mutex. */
#define OBJECT_OWNER_DEAD      2 /* taken, from an owner that has exited */
#define OBJECT_NOT_RECOVERABLE 3 /* it will never be taken again */

/* A result: the thread must not do that. Nothing has changed; the machine finds out what it is. */
#define OBJECT_MISUSE UINT64_MAX

/* 8 bits that tell one mutex from another: of two that are less than 2 KiB apart, always. */
static inline u64 object_tag(u64 addr)
{
	return addr / 8 % 255 + 1;
}

struct object_step {
	bool ready;   /* it can be carried out now */
	bool writes;  /* it changes the state */
	bool acquire, release;
	u64 next;     /* the state afterwards */
	u64 result;   /* what the thread learns: the key of what it does next */
};

/*
 * What thread's operation does to an object in `state`. One that does not write is a relaxed read
 * (but for `acquire`) of any state that it may see, not only the last.
 */
struct object_step object_step(enum object_op op, u64 argument, u32 thread, u64 state);

/* For messages about divergence. */
const char *object_op_name(enum object_op op);

#endif
