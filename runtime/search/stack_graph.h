/* SPDX-License-Identifier: ISC */
/*
 * stack_graph.h - accesses to the stack of another thread that has exited, in executions known as
 * graphs.
 *
 * A thread's stack is there until the thread ends. So each access of another thread to it has to
 * happen before the last event of its owner; a later or unordered access uses memory that is gone,
 * or may be. The stack of main, which ends with the process, is excluded, as are synchronisation
 * objects on stacks.
 */
#ifndef SEARCH_STACK_GRAPH_H
#define SEARCH_STACK_GRAPH_H

#include "event/finding.h"
#include "trust/trust.h"

/* Is there such an access in x's graph, a complete execution? *access: the event. */
bool stack_fails_graph(const struct trust *x, struct finding *f, u32 *access);

#endif
