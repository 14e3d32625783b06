/* SPDX-License-Identifier: ISC */
/*
 * state_cycle.h - recurring states of executions on store buffers: livelock with stores,
 * starvation.
 *
 * Idea.   The program's state recurs: every thread is about to perform the same operation, and
 *         memory is the same. Then the steps in between can be repeated for ever. That is a bug if
 *         it is *fair*: every thread enabled in between has moved, all stores have reached memory,
 *         and no step was a random choice (a weak compare-and-exchange that fails spuriously,
 *         heddle_choose()). This is strong fairness: a thread that could take a mutex again and
 *         again eventually gets it. A thread that never could, or spins, or loops without progress,
 *         will do so for ever.
 * Exact.  The state is compared as a whole: registers and stacks of the program's own frames
 *         (libunwind finds them), the pending access and its operands, all memory (memory_state.h),
 *         clocks if they are read. Where this is impossible there is no conclusion: after input,
 *         while a store is announced (tsan_store.h), with freed memory in use again, in an
 *         interposed function that takes several steps.
 * How.    The first STATE_CYCLE_STEPS steps (state_cycle_after) of an execution are not checked.
 *         Then a state is kept, and each later step is compared with it; after 64, 128, 256...
 *         steps the next one is kept instead (Brent's cycle detection). A cycle that is found is
 *         shortened by following the same choices again, from earlier and earlier states
 *         (shorten_cycle.h); only then it is recorded and reported.
 * Not.    Loops whose state never recurs: they count tries, allocate, read the clock. On processors
 *         other than x86-64 the callers' registers are unknown. Not for graphs: see
 *         shorten_cycle.h.
 */
#ifndef CYCLE_STATE_CYCLE_H
#define CYCLE_STATE_CYCLE_H

#include "base/base.h"

struct sync_op;
struct thread;
struct wait;

#define STATE_CYCLE_STEPS 1000

/* The search has begun in this execution: pending accesses are noted (machine/pending.h). */
extern bool state_cycle_on;

/* Search from this step on, and only for a recurrence of its state; 0: as above. Replays take it
 * from their file. */
extern u32 state_cycle_from;

/* Fair schedules leave the cycle that is searched for (failure/leave_cycle.h): it is described as
 * starvation. Replays take it from their file. */
extern bool state_cycle_left;

/* Not checked before so many steps. */
extern u32 state_cycle_after;

/* An execution begins: sets M.look_at. */
void state_cycle_begin(void);

/* The result may be a false negative: memory was written for the first time, so it was not in the
 * snapshot. */
bool state_cycle_is_unsure(void);

/* M.look_at steps have been taken, and t has arrived: the execution may end here. */
void state_cycle_look(struct thread *t);

/* For fair.c: t is about to repeat a read, and would now see a different value. */
bool state_cycle_by_chance(const struct thread *t);

/* Does the operation depend on its object alone, and end with its step? */
bool state_cycle_is_simple(const struct sync_op *op, const void *obj);

/* The execution just recorded has such a failure: its waiting and looping threads. Spinning:
 * EV_READ; looping: EV_WRITE, with their last change. w[THREADS_MAX]. */
u32 state_cycle_waits(struct wait *w);

#endif
