/* SPDX-License-Identifier: ISC */
/*
 * loop_state.h - has a thread returned to an earlier state? For execution graphs; spin.h serves
 * store buffers.
 *
 * Idea.   A thread that returns to the same place with its live state unchanged repeats itself as
 *         long as it reads the same values. Every state since the last *change* is kept, to find
 *         the first return, as each further iteration would multiply executions. The program runs
 *         rarely (trust/cache.h), so this need not be cheap.
 * Change. A write that others can see, except a plain store of the value that the thread itself
 *         stored there since its last synchronising event: `n->next = old' before a
 *         compare-and-exchange that fails repeatedly. Private memory may be written and restored:
 *         the values replaced by such writes are noted, and compared. It may also be dead: on the
 *         stack below the compared frames, or in a block allocated and freed in between.
 * Effects. A lock taken and released, a count raised and lowered: the state is restored, but others
 *         may have observed the change. The iteration matters only if they have
 *         (trust/trust_again.c).
 * Counters. Variables that only count iterations (instrument/counter.h) may differ between two
 *         equal states, if no comparison of them changes in between. Then the thread could repeat
 *         the iteration until one does, so the counters are moved there at once: one execution
 *         reaches each limit, instead of one for each number of iterations. All steps of the
 *         iteration must be the same load with the same result: the last one can be repeated at its
 *         place in any execution, reading from the same write.
 * Tallies. Memory that only counts may differ likewise, in any way: graph/tally.h.
 * Waits.  When a thread has waited for a condition and comes back to the head of the loop that
 *         tests it, it is where it was when it first had the mutex (loop_state_wait()).
 * Places. (1) The head of a loop, where the compiler pass supplies the live values
 *         (__heddle_turn(), abi.def): other registers do not matter. (2) An entry stub (entry.S),
 *         that is any load: the callee-saved registers and the whole stack, live or not. That needs
 *         no compiler, but may need one more iteration.
 */
#ifndef GRAPH_LOOP_STATE_H
#define GRAPH_LOOP_STATE_H

#include "machine/spin.h"

#include <heddle/abi.h>

#define LOOP_STATES TINY(8, 32) /* of each kind */
#define LOOP_WRITES 64 /* in own memory; more count as a change */
#define LOOP_STORES 16 /* plain, in shared memory */
#define LOOP_EFFECTS 32
#define LOOP_HELD    16
#define LOOP_SEEN    64
#define LOOP_COUNTS  16

/* The time of a state. */
struct loop_time {
	u32 reads;  /* of the thread since the last change, up to then */
	u32 writes; /* in own memory, likewise */
	u32 blocks; /* of the heap that the thread had ever allocated */
	u32 effects; /* likewise */
	u32 steps;  /* of the thread */
	u32 sleeps;  /* since the last change */
	u32 counts;  /* additions to memory that may be a tally, likewise */
	u32 counted; /* of the steps, those that count; of the reads likewise */
	u32 counted_reads;
};

/* A state at an entry stub. */
struct access_state {
	struct loop_time time;
	u64 return_address, sp;
	u32 nstack;
	u64 saved[ARCH_SAVED];
	_Alignas(8) u8 stack[SPIN_STACK];
};

/* A state at the head of a loop. */
struct head_state {
	struct loop_time time;
	const void *loop; /* NULL: no state */
	u64 frame;
	u32 n, ncounters;
	struct heddle_counter counter[HEDDLE_TURN_COUNTERS];
	u8 value[HEDDLE_TURN_MAX];
};

/* A write in own memory. */
struct loop_write {
	u64 addr;
	u64 before; /* its old contents */
	u32 size;   /* 0: a block has been allocated or freed */
};

/* An addition to memory that may be a tally. */
struct loop_count {
	u64 addr;
	u32 size;
};

/* An atomic write, or an operation on an object, that others can see. */
struct loop_effect {
	u64 what; /* address or number */
	u64 before, after;
	u64 mask; /* an addition, to memory of this mask; 0: it is none */
	bool compared; /* and its result is compared with a value */
	bool unused;   /* and its result is not used */
};

/* A plain store that others can see. */
struct loop_store {
	u64 addr, value;
	u32 size;
};

/* An atomic load, a compare-and-exchange that fails, an attempt to take a lock that fails. */
struct loop_load {
	u16 loc;
	u8 type, order, fail, op;
	bool rare; /* it fails spuriously */
	u64 value;
};

/* The kept states of a thread. */
struct loop_states {
	u32 slot;      /* of the thread */
	u64 stack_end; /* its high end */
	u32 reads;     /* since the last change */
	u32 nwrites;   /* the same since a state was kept */
	u32 fresh;     /* of them, since the last one was kept */
	u32 naccesses, next_access; /* states kept; where the next one goes */
	u32 nheads, next_head;
	u32 nstores;
	u32 neffects; /* since a state was kept */
	u32 steps;    /* ever */
	u32 loads;    /* the last of them that are equal, with the same result */
	struct loop_load load;
	u32 again;    /* steps since the state found last, if there were effects; else 0 */
	u32 locked;   /* steps when it took a mutex last */
	bool waits;   /* for a condition, since it was at the heads that are kept */
	u32 nheld;
	u32 sleeps;   /* since the last change (--sleepers last) */
	u32 slept;    /* reads up to the last of them */
	struct {
		bool is;      /* the state is that of an earlier iteration, which has slept: */
		u32 from, at; /* reads by then, and now */
	} lap;
	u32 ncounts; /* since a state was kept */
	u32 fresh_counts; /* of them, when the last one was kept */
	bool counting; /* its present step counts */
	bool learnt; /* of a tally: the exploration begins again */
	u32 counted, counted_reads; /* steps, and reads, ever */
	struct loop_count count[LOOP_COUNTS];
	u64 seen[LOOP_SEEN]; /* the last values read, by their number */
	struct loop_effect effect[LOOP_EFFECTS];
	struct loop_effect held[LOOP_HELD]; /* those before the last change that were not undone,
					     * one of each address */
	struct loop_write write[LOOP_WRITES];
	struct loop_store store[LOOP_STORES]; /* no two overlap */
	struct access_state access[LOOP_STATES];
	struct head_state head[LOOP_STATES];
};

/* The beginning of an iteration, from __heddle_turn(). */
struct loop_visit {
	const void *loop, *values;
	struct heddle_counter *counter;
	u64 frame, sp;
	u32 n, ncounters;
	bool entered;
};

/* From now on, effects that are not undone are kept. */
void loop_state_hold(struct loop_states *t);

/* A change. */
static inline void loop_state_change(struct loop_states *t)
{
	if (t->neffects)
		loop_state_hold(t);
	t->reads = t->nwrites = t->fresh = t->neffects = 0;
	t->ncounts = t->fresh_counts = 0;
	t->naccesses = t->next_access = t->nheads = t->next_head = 0;
	t->sleeps = 0;
	t->lap.is = false;
	t->waits = false;
}

/* One that is visible to others, and synchronises. */
static inline void loop_state_reset(struct loop_states *t)
{
	loop_state_change(t);
	t->nstores = 0;
}

/* The initial state of a thread. */
static inline void loop_state_init(struct loop_states *t, u32 slot, u64 stack_end)
{
	t->slot = slot;
	t->stack_end = stack_end;
	t->steps = t->loads = t->again = t->nheld = t->neffects = t->locked = 0;
	t->counted = t->counted_reads = 0;
	t->counting = t->learnt = false;
	loop_state_reset(t);
}

/* The thread is about to load, called with the given frame. Returns the number of reads since it
 * was in this state; 0: never, and the state is kept. t->again: others may have observed that it
 * left that state in between. */
u32 loop_state_at_access(struct loop_states *t, const struct entry_frame *f);

/* The thread has read a value. */
static inline void loop_state_read(struct loop_states *t, u64 value)
{
	t->seen[t->reads++ % LOOP_SEEN] = t->counting ? 0 : value;
	t->counted_reads += t->counting;
}

/*
 * The thread is about to sleep. True: it has slept before in this state, at the end of an iteration
 * with the same reads: from now on it waits for another value, like any spin loop. *for_ever: the
 * iteration reads nothing.
 */
bool loop_state_sleeps(struct loop_states *t, bool *for_ever);

/* The same at the head of a loop. n <= HEDDLE_TURN_MAX. *moved: the counters are those after the
 * iterations until a comparison of them changes, all like the last one. */
u32 loop_state_at_head(struct loop_states *t, const struct loop_visit *v, bool *moved);

/* It has taken a step; load: which load, or NULL. */
void loop_state_step(struct loop_states *t, const struct loop_load *load);

/* It has taken a mutex; it begins to wait for a condition. */
void loop_state_lock(struct loop_states *t);
void loop_state_wait(struct loop_states *t);

/* A thread that waited comes to the head of a loop: is its state, with the mutex just taken, the
 * one in which it came there first? It no longer counts as waiting. */
bool loop_state_has_waited(struct loop_states *t, const struct loop_visit *v);

/* The thread is about to write size <= 8 bytes that no other thread has ever accessed. */
void loop_state_own_write(struct loop_states *t, u64 addr, u32 size);

/* Do further writes of these bytes change nothing, until the next state is kept? */
bool loop_state_knows_write(const struct loop_states *t, u64 addr, u32 size);

/* It has stored n <= 8 bytes, not atomically, visibly to others: a change, unless it has stored the
 * same there before. */
void loop_state_store(struct loop_states *t, u64 addr, u32 n, const u8 *from);

/* It has changed visible memory from one value to the other; LOOP_UNKNOWN: to the value it stored
 * last. A change, unless it is undone when states are compared. */
#define LOOP_UNKNOWN (~(u64)0)
void loop_state_effect(struct loop_states *t, u64 what, u64 before, u64 after);

/* The same by an addition, or subtraction. If the result of one is compared, they are undone when
 * the thread has added nothing in all, regardless of additions by others in between: it has tried
 * to take something, and returned it. */
void loop_state_add(struct loop_states *t, const struct loop_effect *e);

/* It adds to memory that is, or may become, a tally: its contents are not part of the state
 * (graph/tally.h). t->learnt, later: it has to be one from now on. */
void loop_state_count(struct loop_states *t, u64 addr, u32 size);

/* It allocates or frees the heap block at addr: a change, unless it does both. */
void loop_state_block(struct loop_states *t, u64 addr);

void loop_state_check(const struct loop_states *t); /* loop_state_invariants.c */

#endif
