/* SPDX-License-Identifier: ISC */
/*
 * alone.h - a thread runs alone from a state on: does it come back with more stores in its buffer?
 *
 * Runs with different values chosen, each an execution: rounds. If none reads what another one
 * stores, or only values that it would read without it, they can follow each other in any order and
 * any number of times: what they store becomes a loop of the thread's word, with an alternative for
 * each. (Linden's cycle condition is narrower: the thread sees in its buffer what it saw before;
 * such rounds are taken first.) The other threads do not move, nor does any store reach memory.
 * Not. Loops of more than 64 steps, or with more than 64 runs; those in which the thread reads a
 *      value that depends on a loop.
 */
#ifndef PROVE_ALONE_H
#define PROVE_ALONE_H

#include "prove/state_set.h"

/* Before the first node. */
void alone_begin(void);

/* Are the runs of one thread not over? */
bool alone_is_on(void);

/*
 * Prepare the next run from the node, of the next of d->alone. *accelerated: those of a thread are
 * over, and the node has more contents of its buffer now. False: there is none left.
 */
bool alone_next(struct set_node *d, bool *accelerated);

/* In a run, at the node or later: the choice; EXPLORE_NONE: it is over. */
u32 alone_choose(u32 n, const u32 *agents);

#endif
