/* SPDX-License-Identifier: ISC */
/*
 * standing.h - the calls in which threads wait, as numbers that tell findings apart.
 *
 * With option `standing' a decorator of the engine notes the calls of each thread at its operations
 * on objects (struct thread, standing). Deadlocks of the same threads and objects are then one
 * finding only if their threads were called in the same way (heddle reproduce). In an execution
 * graph what a thread has read determines its calls, so the number belongs to the label.
 */
#ifndef MACHINE_STANDING_H
#define MACHINE_STANDING_H

#include "base/option.h"

/* Before a search. stack_init() must have been called. */
void standing_begin(const struct options *o);

#endif
