/* SPDX-License-Identifier: ISC */
/*
 * standing.h - the calls in which threads wait: heddle reproduce.
 *
 * With option `standing' a decorator of the engine notes the calls of each thread at its operations
 * on objects (struct thread, standing). Deadlocks of the same threads and objects are then one
 * finding only if their threads were called in the same way. In an execution graph what a thread
 * has read determines its calls, so the number belongs to the label.
 *
 * While standing_directs, the tool is asked about each stack that is new: in which goals, the
 * calls of the threads of a backtrace, does the thread stand? explore/goal.c holds it there.
 */
#ifndef MACHINE_OBSERVER_STANDING_H
#define MACHINE_OBSERVER_STANDING_H

#include "base/option.h"

#define STANDING_DIRECTS 2 /* a value of the option */

/* Before a search. stack_init() must have been called. */
void standing_begin(const struct options *o);

/* From now on, or no longer, threads know their goals. */
void standing_direct(bool on);

/* Mark the threads at a goal that no thread before them has (struct thread, at_goal). Notes the
 * most goals that were reached together. */
void standing_mark(void);

#endif
