/* SPDX-License-Identifier: ISC */
/*
 * loop_bound.h - the number of turns of a loop that a thread has begun: --loop-bound,
 * heddle_while().
 *
 * How.    The compiler pass calls __heddle_turn() at the head of each loop that may wait, with the
 *         loop and the frame of its function; entered: the first turn. A thread has a list of the
 *         loops that it is in, outer ones first: those of functions that have returned lie at
 *         lower addresses than the frame, and are removed. A loop with one turn too many ends the
 *         execution: it is cut.
 * Others. Code of other compilers has no such call. There, an atomic or volatile access counts as
 *         a loop by itself, named by its return address; nothing says when its loop is entered
 *         again, so that an inner loop's turns are those of all turns of the outer one.
 */
#ifndef MACHINE_LOOP_BOUND_H
#define MACHINE_LOOP_BOUND_H

#include "base/base.h"

struct options;

extern bool loop_bound_on;

/* An exploration with these options begins. False: out of memory. */
bool loop_bound_begin(const struct options *o);

/* A thread begins in this slot. */
void loop_bound_thread(u32 slot);

/* The running thread begins a turn; does not return if that is one too many. */
void loop_bound_turn(const void *loop, u64 frame, bool entered);

/* The loop whose turn it has begun last has a bound of its own. */
void loop_bound_exempt(void);

#endif
