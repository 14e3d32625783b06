/* SPDX-License-Identifier: ISC */
/*
 * init_graph.h - initialisations of semaphores and barriers that threads wait at, in graphs.
 *
 * A wait has no event before its end, so the object's state does not show it. But if the thread
 * waits in the graph reduced to the causes of the initialisation and of the events before the wait,
 * there is an execution in which it is waiting at the initialisation. That execution is built here:
 * in it the initialisation fails spuriously, which the program reports as misuse.
 */
#ifndef FAILURE_INIT_GRAPH_H
#define FAILURE_INIT_GRAPH_H

#include "trust/trust.h"

/*
 * Is there such an initialisation in x's graph, of an object not reported before? Then the graph
 * becomes that execution, until init_graph_restore(). *t: the thread that fails.
 */
bool init_graph_fails(struct trust *x, u32 *t);
void init_graph_restore(struct trust *x);

/* A search begins: nothing was found. */
void init_graph_begin(void);

#endif
