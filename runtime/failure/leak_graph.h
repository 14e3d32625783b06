/* SPDX-License-Identifier: ISC */
/*
 * leak_graph.h - leaks and unjoined threads in executions known as graphs.
 *
 * Most executions are not run. But a thread's allocations minus its frees depend on its own history
 * only, and the label of its end has the difference: if the sum over all threads is 0, no block is
 * left. Otherwise the program follows the graph, and memory is checked.
 */
#ifndef FAILURE_LEAK_GRAPH_H
#define FAILURE_LEAK_GRAPH_H

#include "event/finding.h"
#include "trust/trust.h"

/* Does x's graph, a complete execution, leak, or leave threads unjoined? May add the missing joins
 * and ends: the caller removes them. */
bool leak_graph_fails(struct trust *x, struct finding *f);

/* The native threads have passed such a graph: run them to their ends, check, and record the
 * failure. False: there is no leak. */
bool leak_graph_record(const struct graph *g, struct finding *f);

#endif
