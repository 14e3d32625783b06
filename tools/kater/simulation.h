/* SPDX-License-Identifier: ISC */
/* simulation.h - smaller automata: states that simulate others, and transitions to those that
 * can do less. */
#ifndef KATER_SIMULATION_H
#define KATER_SIMULATION_H

#include "kater/automaton.h"

/*
 * Removes transitions beside which there is one to a state that simulates theirs, and merges states
 * that simulate each other. The automaton has been split. Its circles stay the same: Bustan,
 * Grumberg, TOCL 2003; of MARK_MORE they are Buechi's condition, and those of MARK_ONCE end where
 * they begin.
 */
void simulation_reduce(struct automaton *a);

/* [q * a->n + p]: does p simulate q? The caller frees it. */
bool *simulation_of(struct automaton *a);

#endif
