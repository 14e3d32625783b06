/* SPDX-License-Identifier: ISC */
/*
 * object.h - synchronisation objects as values: operations are RMWs that may have to wait.
 *
 * An object is a location whose value is its abstract state; an operation reads a state and, unless
 * it leaves it as it is, writes the next one directly after. So all operations that change an
 * object are totally ordered by co, and the execution graph needs no notion of a lock. The runtime's own
 * objects (machine/mutex.c ...), run in that order, come to the same states: tests hold them together.
 */
#ifndef MODEL_OBJECT_H
#define MODEL_OBJECT_H

#include "base/base.h"

enum object_op {
	OBJECT_LOCK,	   /* mutex: state 0 = free, else owner + 1 | depth << 16 */
	OBJECT_TRYLOCK,	   /* result 1: taken, 0: busy */
	OBJECT_RELOCK,	   /* recursive mutex: also by the owner */
	OBJECT_TRYRELOCK,
	OBJECT_UNLOCK,
	OBJECT_RDLOCK,	   /* rwlock: state 0 = free, n << 16 = n readers, else writer + 1 */
	OBJECT_TRYRDLOCK,
	OBJECT_WRLOCK,
	OBJECT_TRYWRLOCK,
	OBJECT_RWUNLOCK,
	OBJECT_SEM_WAIT,   /* state: its value */
	OBJECT_SEM_TRYWAIT,
	OBJECT_SEM_POST,
	OBJECT_SEM_VALUE,  /* result: the value */
	OBJECT_ONCE_ENTER, /* state 0 new, 1 running, 2 done; result 1: the caller has to run it */
	OBJECT_ONCE_DONE,
	OBJECT_COND_WAIT,  /* joins the waiters: bits 0..23 waiters, 24..47 may wake, 48.. tokens */
	OBJECT_COND_WAKE,  /* waits for a token that it may take */
	OBJECT_COND_LEAVE, /* stops waiting (time-out, spurious wake-up); takes no token */
	OBJECT_COND_SIGNAL,
	OBJECT_COND_BROADCAST,
	OBJECT_RESET,	   /* initialise, destroy: state becomes `argument` */
	OBJECT_OPS
};

struct object_step {
	bool ready;   /* it can be carried out now */
	bool writes;  /* it changes the state */
	bool acquire, release;
	u64 next;     /* the state afterwards */
	u64 result;   /* what the thread learns: the key of what it does next */
};

/* What thread's operation does to an object in `state`. */
struct object_step object_step(enum object_op op, u64 argument, u32 thread, u64 state);

#endif
