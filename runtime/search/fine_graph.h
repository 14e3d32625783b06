/* SPDX-License-Identifier: ISC */
/*
 * fine_graph.h - a failing execution that was found with regions (graph/region.h), once more with
 * each access an event, so that it can be reported.
 *
 * The events of the graph are added in an order in which each comes after its source; between them,
 * the plain accesses that regions had stood for, which have no choices.
 */
#ifndef SEARCH_FINE_GRAPH_H
#define SEARCH_FINE_GRAPH_H

#include "trust/trust.h"

/* Keep the current graph, a leaf of this kind; thread t has failed. For one process only. */
void fine_graph_keep(const struct trust *x, enum leaf how, u32 t);

/* Is there one? */
bool fine_graph_kept(void);

/*
 * Build it, and report it to x->program. The search begins again before, and at each
 * ANSWER_RESTART. False: stop; else the graph is to be cleared. If the program does not follow,
 * the search will find the failure another time.
 */
bool fine_graph_report(struct trust *x, void (*again)(struct trust *x));

#endif
