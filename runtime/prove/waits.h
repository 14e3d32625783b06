/* SPDX-License-Identifier: ISC */
/*
 * waits.h - threads that wait for ever, in the graph of all states.
 *
 * When.   A *final component* is a set of states that lead to each other and to no others: an
 *         execution whose choices are fair ends up in one. A thread waits for ever there if none of
 *         its steps is visible to others, although it has such steps in other states, after
 *         the places where it is; or if it has no step at all, and is neither at its end nor joins
 *         another thread. No later choice of the scheduler can help it.
 * Cycle.  A walk through the component that begins and ends in the same state, with steps of all
 *         threads that have any: the execution that is reported (cycle/state_cycle.h confirms it).
 * Not.    Threads that wait only under some fair schedules. A thread that never changes anything in
 *         any state, such as a reader, waits only if it is blocked. Places are distinguished by the
 *         innermost function's return address.
 */
#ifndef PROVE_WAITS_H
#define PROVE_WAITS_H

#include "base/base.h"

/* The result, once the graph is complete. */
struct waits {
	bool loops; /* some executions do not end */
	bool found; /* a thread waits for ever */
	u32 stem;   /* choices before the cycle */
	u32 n;	    /* with it, twice: in to[] of waits_find() */
	u32 steps;  /* of that execution, about */
};

/*
 * Look for a component in which a thread waits. to[room]: the choices of an execution that shows
 * it. blocked: is the thread, of this number, at that node at an operation other than its end or a
 * join? False: it cannot be shown; or, unless w->found, there is not enough memory.
 */
bool waits_find(struct waits *w, u32 *to, u32 room, bool (*blocked)(u32 node, u16 thread));

#endif
