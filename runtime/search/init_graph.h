/* SPDX-License-Identifier: ISC */
/*
 * init_graph.h - initialisations of semaphores and barriers that threads wait at, in graphs.
 *
 * A wait has no event before its end, so no state of the object tells. But if the graph, reduced to
 * the causes of the initialisation and of the events before a wait, has that thread wait, there is
 * an execution in which it does so when the initialisation comes. It is built here: the
 * initialisation fails spuriously in it, which the program reports as misuse.
 */
#ifndef SEARCH_INIT_GRAPH_H
#define SEARCH_INIT_GRAPH_H

#include "trust/trust.h"

/*
 * Is there such an initialisation in x's graph, of an object that was not found before? Then the
 * graph becomes that execution, until init_graph_restore(). *t: the thread, which fails.
 */
bool init_graph_fails(struct trust *x, u32 *t);
void init_graph_restore(struct trust *x);

/* A search begins: nothing was found. */
void init_graph_begin(void);

#endif
