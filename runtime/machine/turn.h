/* SPDX-License-Identifier: ISC */
/*
 * turn.h - has a thread come back to a state it was in? For execution graphs; spin.h is for the others.
 *
 * A thread that comes back to the same load with the same callee-saved registers and the same stack
 * and has changed nothing since will do the same again as long as it reads the same. Here every state
 * since the last change is kept, as the first return is to be found: each turn more would be more
 * executions. The program runs seldom (explore/cache.h), so that this may cost.
 *
 * A plain store of what the thread itself stored there since it last did anything that others can
 * order themselves by changes nothing: `n->next = old` before a compare-and-exchange that
 * fails, again and again.
 */
#ifndef MACHINE_TURN_H
#define MACHINE_TURN_H

#include "machine/spin.h"

#define TURN_STATES 32
#define TURN_WRITES 16

struct turn_state {
	u64 return_address, sp;
	u32 reads; /* of the thread since the last change, when it was here */
	u32 nstack;
	u64 saved[ENTRY_SAVED];
	_Alignas(8) u8 stack[SPIN_STACK];
};

struct turn_write {
	u64 addr, value;
	u32 size;
};

struct turn {
	u32 n, next; /* states kept; where the next one goes */
	u32 reads;   /* since the last change */
	u32 nwritten;
	struct turn_write written[TURN_WRITES]; /* plain stores, no two overlap */
	struct turn_state state[TURN_STATES];
};

static inline void turn_reset(struct turn *t)
{
	t->n = t->next = t->reads = t->nwritten = 0;
}

/* The thread stores these bytes, not atomically: a change, unless it has stored the same before. */
void turn_stores(struct turn *t, u64 addr, size_t n, const u8 *from);

/* The thread is about to load, called with the given frame. How many reads ago has it been in this
 * state? 0: never; the state is kept then. */
u32 turn_returns(struct turn *t, const struct entry_frame *f, u64 stack_end);

#endif
