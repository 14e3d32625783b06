/* SPDX-License-Identifier: ISC */
/*
 * loop_state.h - has a thread returned to an earlier state? For execution graphs; spin.h is for
 * store buffers.
 *
 * Idea.   A thread that returns to the same place with its live state unchanged repeats itself as
 *         long as it reads the same values. Every state since the last *change* is kept, to find
 *         the first return: each further iteration would be more executions. The program runs
 *         rarely (trust/cache.h), so that this need not be cheap.
 * Change. A write that others can see; but not a plain one of the value that the thread itself
 *         stored there since its last synchronising event: `n->next = old' before a
 *         compare-and-exchange that fails repeatedly. Private memory may be written and restored:
 *         the values replaced by such writes are noted, and compared. It may also be dead: on the
 *         stack below the compared frames, or in a block allocated and freed in between.
 * Effects. A lock taken and released, a count raised and lowered: the state is restored, but others
 *         may have seen it changed. The iteration matters only if they have
 *         (trust/trust_again.c).
 * Counters. Variables that only count iterations (instrument/counter.h) may differ between two
 *         equal states, if no comparison of them changes in between. Then the thread could repeat
 *         the iteration until one does: the counters are moved there at once. So there is an
 *         execution in which each limit is reached, and none for each number of iterations. All
 *         steps of the iteration must be the same load with the same result: the last one can be
 *         repeated at its place in any execution, reading from the same write.
 * Places. (1) The head of a loop, where the compiler pass passes the live values (__heddle_turn(),
 *         abi.def): other contents of registers do not matter. (2) An entry stub (entry.S), that is
 *         any load: the callee-saved registers and the whole stack, live or not. That needs no
 *         compiler, but may need one more iteration.
 */
#ifndef GRAPH_LOOP_STATE_H
#define GRAPH_LOOP_STATE_H

#include "machine/spin.h"

#include <heddle/abi.h>

#define TURN_STATES TINY(8, 32) /* of each kind */
#define TURN_WRITES 64 /* in own memory; more count as a change */
#define TURN_STORES 16 /* plain, in shared memory */
#define TURN_EFFECTS 32
#define TURN_HELD    16

/* The time of a state. */
struct turn_mark {
	u32 reads;  /* of the thread since the last change, up to then */
	u32 writes; /* in own memory, likewise */
	u32 blocks; /* of the heap that the thread had ever allocated */
	u32 effects; /* likewise */
	u32 steps;  /* of the thread */
};

struct turn_access {
	struct turn_mark mark;
	u64 return_address, sp;
	u32 nstack;
	u64 saved[ARCH_SAVED];
	_Alignas(8) u8 stack[SPIN_STACK];
};

struct turn_head {
	struct turn_mark mark;
	const void *loop; /* NULL: forgotten */
	u64 frame;
	u32 n, ncounters;
	struct heddle_counter counter[HEDDLE_TURN_COUNTERS];
	u8 value[HEDDLE_TURN_MAX];
};

/* A write in own memory. */
struct turn_write {
	u64 addr;
	u64 before; /* what was there */
	u32 size;   /* 0: a block has been allocated or freed */
};

/* An atomic write, or an operation on an object, that others can see. */
struct turn_effect {
	u64 what; /* address or number */
	u64 before, after;
};

/* A plain store that others can see. */
struct turn_store {
	u64 addr, value;
	u32 size;
};

/* An atomic load, or a compare-and-exchange that fails. */
struct turn_load {
	u16 loc;
	u8 type, order, fail;
	u64 value;
};

struct turn {
	u32 slot;      /* of the thread */
	u64 stack_end; /* its high end */
	u32 reads;     /* since the last change */
	u32 nwrites;   /* likewise, since a state was kept */
	u32 fresh;     /* of them, since the last one was */
	u32 ndoors, next_door; /* states kept; where the next one goes */
	u32 nheads, next_head;
	u32 nstores;
	u32 neffects; /* since a state was kept */
	u32 steps;    /* ever */
	u32 loads;    /* of them, the last ones: all the same, with the same result */
	struct turn_load load;
	u32 again;    /* steps since the state found last, if there were effects; else 0 */
	u32 nheld;
	struct turn_effect effect[TURN_EFFECTS];
	struct turn_effect held[TURN_HELD]; /* by the time of the last change: what was not taken
					       back; no two of one */
	struct turn_write write[TURN_WRITES];
	struct turn_store store[TURN_STORES]; /* no two overlap */
	struct turn_access door[TURN_STATES];
	struct turn_head head[TURN_STATES];
};

/* An iteration of a loop, from __heddle_turn(). */
struct turn_visit {
	const void *loop, *values;
	struct heddle_counter *counter;
	u64 frame, sp;
	u32 n, ncounters;
	bool entered;
};

/* Effects not undone are kept from now on. */
void turn_hold(struct turn *t);

/* A change. */
static inline void turn_changes(struct turn *t)
{
	if (t->neffects)
		turn_hold(t);
	t->reads = t->nwrites = t->fresh = t->neffects = 0;
	t->ndoors = t->next_door = t->nheads = t->next_head = 0;
}

/* Visible to others, and synchronising. */
static inline void turn_reset(struct turn *t)
{
	turn_changes(t);
	t->nstores = 0;
}

/* The initial state of a thread. */
static inline void turn_init(struct turn *t, u32 slot, u64 stack_end)
{
	t->slot = slot;
	t->stack_end = stack_end;
	t->steps = t->loads = t->again = t->nheld = t->neffects = 0;
	turn_reset(t);
}

/* The thread is about to load, called with the given frame. Returns the number of reads since it
 * was in this state; 0: never, and the state is kept. t->again: others may have seen it leave
 * that state in between. */
u32 turn_at_access(struct turn *t, const struct entry_frame *f);

/* The same at the head of a loop. n <= HEDDLE_TURN_MAX. *moved: the counters are those after the
 * iterations until a comparison of them changes, all like the last one. */
u32 turn_at_head(struct turn *t, const struct turn_visit *v, bool *moved);

/* It has made a step; load: NULL, or which. */
void turn_steps(struct turn *t, const struct turn_load *load);

/* The thread is about to write size <= 8 bytes that no other thread has ever accessed. */
void turn_writes(struct turn *t, u64 addr, u32 size);

/* It has stored n <= 8 bytes, not atomically, where others can see that: a change, unless it has
 * stored the same there before. */
void turn_stores(struct turn *t, u64 addr, u32 n, const u8 *from);

/* It has changed visible memory from one value to the other; TURN_UNKNOWN: to the value it stored
 * last. A change, unless it is undone when states are compared. */
#define TURN_UNKNOWN (~(u64)0)
void turn_affects(struct turn *t, u64 what, u64 before, u64 after);

/* It allocates or frees the heap block at addr: a change, unless it does both. */
void turn_hands_over(struct turn *t, u64 addr);

void turn_check(const struct turn *t); /* loop_state_invariants.c */

#endif
