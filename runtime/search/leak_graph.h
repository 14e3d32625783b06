/* SPDX-License-Identifier: ISC */
/*
 * leak_graph.h - do executions that are known as graphs leak, or leave threads unjoined?
 *
 * Most executions are not run. But how many blocks a thread has allocated less those it has
 * freed depends on its own history, and is in the label of its end: when the sum of all is
 * 0, nothing can have been left. Else the graph is run, and memory looked at.
 */
#ifndef SEARCH_LEAK_GRAPH_H
#define SEARCH_LEAK_GRAPH_H

#include "event/finding.h"
#include "trust/trust.h"

/* Does x's graph, a complete execution, leak, or leave threads unjoined? May add the joins and ends
 * that are missing in it: who wants it as it was takes them back. */
bool leak_graph_fails(struct trust *x, struct finding *f);

/* The native threads have passed all of such a graph: bring them to their ends, look, and record
 * the failure. False: there is no leak. */
bool leak_graph_record(const struct graph *g, struct finding *f);

#endif
