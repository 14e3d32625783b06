/* SPDX-License-Identifier: ISC */
/*
 * leak.h - heap blocks that an execution has left behind and that nothing points to any more.
 *
 * A block leaks if, at the end, no chain of pointers leads to it from variables, blocks that were
 * there before, stacks and thread-specific data. Any aligned word counts as a pointer that, with or
 * without its upper 16 bits (where lock-free code keeps tags), is an address in the block. So blocks
 * may be missed, but one that is reported is lost for good (or its address is kept otherwise encoded).
 *
 * Graphs. Most executions are not run. But how many blocks a thread has allocated less those it has
 *         freed depends on its own history, and is in the label of its end: when the sum of all is
 *         0, nothing can have been left. Else the graph is run, and memory looked at.
 */
#ifndef SEARCH_LEAK_H
#define SEARCH_LEAK_H

#include "event/finding.h"
#include "explore/graph.h"

/* On the store-buffer machine, by the thread that ends the execution, when all others have ended:
 * a leak ends it as a finding. */
void leak_check(void);

/* Does x's graph, a complete execution, leak, or leave threads unjoined? May add the joins and ends that are missing in it: who
 * wants it as it was takes them back. */
bool leak_in_graph(struct trust *x, struct finding *f);

/* The native threads have passed all of such a graph: bring them to their ends, look, and record
 * the failure. False: there is no leak. */
bool leak_record(const struct graph *g, struct finding *f);

#endif
