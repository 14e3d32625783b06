/* SPDX-License-Identifier: ISC */
/*
 * loop_bound.h - the number of iterations of a loop that a thread has begun: --loop-bound,
 * heddle_while().
 *
 * How.    The compiler pass calls __heddle_turn() at the head of each loop that may wait, with the
 *         loop and the frame of its function; entered: the first iteration. A thread has a list of
 *         the loops that it is in, outer ones first; those of functions that have returned lie at
 *         lower addresses than the frame, and are removed. One iteration too many cuts the
 *         execution.
 * Others. Code of other compilers has no such call. There, an atomic or volatile access counts as a
 *         loop by itself, named by its return address; as entering its loop is not visible, an
 *         inner loop's iterations add up over those of the outer one.
 */
#ifndef MACHINE_EXECUTION_LOOP_BOUND_H
#define MACHINE_EXECUTION_LOOP_BOUND_H

#include "base/base.h"

struct options;

extern bool loop_bound_on;

/* An exploration with these options begins. False: out of memory. */
bool loop_bound_begin(const struct options *o);

/* A thread begins in this slot. */
void loop_bound_thread(u32 slot);

/* The running thread begins an iteration; does not return if it is one too many. */
void loop_bound_iteration(const void *loop, u64 frame, bool entered);

/* Set a bound for the loop whose iteration the thread has begun last. */
void loop_bound_exempt(void);

#endif
