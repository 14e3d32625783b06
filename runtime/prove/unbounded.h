/* SPDX-License-Identifier: ISC */
/*
 * unbounded.h - all states of a program whose store buffers have no bound: a strategy.
 *
 * State.  As in states.h, but with words that have loops (words.h) in place of buffers: a set of
 *         states. One that is part of a known one is not explored (word_includes()).
 * Loops.  At each new state, threads with stores in their buffers run on alone. One that comes back
 *         to its state with more stores, and sees the same values in its buffer as before, can
 *         do so again and again: these stores become a loop (A. Linden's acceleration of cycles;
 *         alone.h). So do those of rounds with steps of other threads (rounds.h).
 * Exact.  Each state has a path of steps to one of its elements, the one without iterations. A
 *         step that needs an iteration has it put in on the path. So whatever is found is an
 *         ordinary execution.
 * Steps.  Threads arrive at each store and fence (M.stepwise). A store is a step of its own: no
 *         other is taken before it (persistent set), unless it leads to a known state (proviso).
 * Not.    Threads that wait for ever, but for deadlocks: the graph of sets does not show them.
 */
#ifndef PROVE_UNBOUNDED_H
#define PROVE_UNBOUNDED_H

#include "explore/explore.h"

/* Its states are counted in states.nstates; limits, too. */
extern const struct strategy_ops strategy_unbounded;

/* After the search: do some executions not end? False: none, or there is not enough memory. */
bool unbounded_loops(void);

#endif
