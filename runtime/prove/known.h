/* SPDX-License-Identifier: ISC */
/*
 * known.h - executions that lead to a state of the program that bounded search has been in.
 *
 * Idea.   Where threads hand data to each other, many orders of their steps conflict, and still
 *         lead to the same state: memory, objects, stacks and registers (state.h). Depth-first
 *         search goes on from the first of them. An execution that comes to the state of another
 *         one ends, if it has no more preemptions (or delays) left. Races depend on happens-before,
 *         too: of memory for which it matters (buffers/lockset.h).
 * When.   Where the running thread has to wait: there most orders begin, and comparing is cheap.
 *         Without preemptions, equal traces lead to equal states there: steps are not noted
 *         (trace_note.h) while all states can be compared.
 * Cycles. A state that recurs in one execution does not end it: a livelock is to be found.
 * Hash.   128 bits of the state, and 64 of happens-before. Entries are overwritten at will: then
 *         only time is lost.
 */
#ifndef PROVE_KNOWN_H
#define PROVE_KNOWN_H

#include "base/base.h"

/* A search begins: are its states known? M.explore has been started. */
void known_states_use(bool on);

/* The search begins again: nothing has been seen. */
void known_states_clear(void);

/* An execution begins. */
void known_states_next(void);

/* After an execution: has it shown something that states have to contain? Then the search has to
 * begin again. */
bool known_states_adopt(void);

#endif
