/* SPDX-License-Identifier: ISC */
/*
 * state.h - the state of the whole program at a scheduling choice, as a number of 128 bits.
 *
 * Parts.  All that the next steps depend on: memory (as far as it differs from the snapshot),
 *         blocks of the heap, thread-local variables, registers and stacks of the program's own
 *         frames, pending accesses, store buffers, synchronisation objects, the time if any
 *         execution reads it.
 * Frames. Of a thread at an access or a simple operation, the stack below the program's own frames
 *         is the runtime's, and the same at equal operations: the operation and its operands stand
 *         for it (pending.h). At other operations the runtime's frames are compared, too, up to the
 *         scheduler's (sched_thread.low); what earlier calls have left there has been overwritten
 *         (machine_wipe_stack()).
 * Hash.   A sum of the hashes of all words with their places, so unchanged memory adds nothing. Two
 *         of n different states have one sum with a probability of about n * n / 2^129.
 * Not.    Descriptors but of eventfds, signals, thread-specific data, histories: state_limit().
 */
#ifndef PROVE_STATE_H
#define PROVE_STATE_H

#include "base/base.h"

struct thread;

struct state_sum {
	u64 a, b;
	u32 control; /* a hash of the threads' places in the program */
	u32 shared;  /* a hash of the part visible to other threads: no registers, no stacks */
};

/* Call work() on a stack of its own. So all threads have left theirs; the functions below need
 * that, and that all have arrived. */
void state_look(void (*work)(void));

/* The program reads clocks: the time is a part of states. */
extern bool state_has_time;

/* The present state. */
struct state_sum state_sum(void);

/* The same of all but the contents of store buffers. */
struct state_sum state_sum_without_buffers(void);

/* A hash of t's place in the program: its next instruction, its operation. */
u32 state_control(const struct thread *t);

/* Does the present state contain something that is not compared? In words; NULL: no. */
const char *state_limit(void);

/* Begin a search: no memory is ignored. */
void state_sum_begin(void);

/* These bytes are no part of the state from now on, in this execution (heddle_ignore_state()).
 * False: too many such ranges. */
bool state_ignore(u64 start, u64 size);

/* See the words of 8 bytes of the state's memory with values that are not those of the beginning;
 * without stacks. */
void state_each_word(void (*see)(u64 address, u64 value));

#endif
