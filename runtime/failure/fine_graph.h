/* SPDX-License-Identifier: ISC */
/*
 * fine_graph.h - a failing execution found with regions (graph/region.h), rebuilt with an event for
 * each access, so that it can be reported.
 *
 * The events of the graph are added in an order in which each comes after its source, and between
 * them the plain accesses that the regions stood for, which have no choices.
 */
#ifndef FAILURE_FINE_GRAPH_H
#define FAILURE_FINE_GRAPH_H

#include "trust/trust.h"

/* Keep the current graph, a leaf of this kind in which thread t has failed. For one process
 * only. */
void fine_graph_keep(const struct trust *x, enum leaf how, u32 t);

/* Has a graph been kept? */
bool fine_graph_kept(void);

/*
 * Build it and report it to x->program, after a restart of the search, and again at each
 * ANSWER_RESTART. False: stop; else the caller clears the graph. If the program does not follow,
 * the search will find the failure again.
 */
bool fine_graph_report(struct trust *x, void (*again)(struct trust *x));

#endif
