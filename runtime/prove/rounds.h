/* SPDX-License-Identifier: ISC */
/*
 * rounds.h - rounds of several threads, after each of which one thread has more in its buffer.
 *
 * A thread may store for ever only because others go on, as theirs reach memory in the meantime:
 * alone (alone.h) it does not come back to its state. So the way to a new state is searched for two
 * equal rounds: the same steps, three times the same state but for the buffer of one thread, and
 * the same letters put into its word at the same place. What has happened twice can happen any
 * number of times: these letters become a loop. Its rounds have steps in two places of the path,
 * as a round may need stores that another thread has made for it, in rounds of a loop of its own.
 * Source. A. Linden's cycle condition (Liege 2013, 5.4), which allows for steps of other threads.
 * Not.    Rounds in which the thread's own stores to the same locations reach memory, with store
 *         fences, or with two loops within them.
 */
#ifndef PROVE_ROUNDS_H
#define PROVE_ROUNDS_H

#include "prove/state_set.h"

/* Do two equal rounds end at a new node? Then a loop is put into its words, and true returned. */
bool rounds_accelerate(u32 node, struct buffer_words *w);

#endif
