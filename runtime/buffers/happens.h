/* SPDX-License-Identifier: ISC */
/*
 * happens.h - happens-before on store buffers: a vector clock for each thread, and messages.
 *
 * A message is the clock that a release store, an RMW or a synchronisation object passes on, given
 * by a number. As in execution graphs (model/graph_clocks.c), release and acquire orders, fences
 * and release sequences of RMWs count, under all models. Operations on the same synchronisation
 * object all happen one after the other, which for some, like readers of a lock, is more than C11
 * requires.
 *
 * A thread's own component advances when it passes its clock on; struct thread.epoch has that
 * component and the thread, in the format of granule.h.
 */
#ifndef BUFFERS_HAPPENS_H
#define BUFFERS_HAPPENS_H

#include "machine/access/granule.h"
#include "machine/core.h"

#define MESSAGE_NONE  0u /* of a plain store */
#define MESSAGE_EMPTY 1u /* of an atomic store that passes no clock on */

extern i32 happens_clock[THREADS_MAX][THREADS_MAX]; /* by number of the thread */

/* An execution begins. */
void happens_begin(void);

/* A thread begins; parent: NULL for main. */
void happens_thread(struct thread *t, struct thread *parent);

/* Did the accesses in this word, of this execution, happen before t's next step? */
static inline bool happens_before(u64 word, const struct thread *t)
{
	return (i32)word_clock(word) <= happens_clock[t->number][word_thread(word)];
}

/* The message of a store of this order. */
u32 happens_send(struct thread *t, int order);
/* The same for an RMW that has received `old`, which it replaces; returns the new one. */
u32 happens_pass(struct thread *t, u32 old, int order);
u32 happens_copy(u32 message);
/* Does the message contain the access of this word? / For a later fence of t: bit 0, do the
 * messages that t has received? bit 1, does its last release fence? */
bool happens_in_message(u32 message, u64 word);
u32 happens_kept(const struct thread *t, u64 word);
void happens_drop(u32 message); /* the message will not be received any more */

void happens_receive_slow(struct thread *t, u32 message, int order);

static inline void happens_receive(struct thread *t, u32 message, int order)
{
	if (message > MESSAGE_EMPTY)
		happens_receive_slow(t, message, order);
}

void happens_fence(struct thread *t, int order);

/* t operates on an object whose last operation has sent `old`; returns the message of this one. */
u32 happens_operate(struct thread *t, u32 old);

/* t synchronises with the end of another thread. / All threads synchronise with each other. */
void happens_join(struct thread *t, const struct thread *ended);
void happens_meet(void);

#endif
