/* SPDX-License-Identifier: ISC */
/*
 * stack_graph.h - accesses to the stack of another thread that has exited, or to variables of its
 * functions that have returned, in executions that are known as graphs.
 *
 * A thread's stack exists until the thread ends. So each access of another thread to it has to come
 * before the last event of its owner; a later access uses dead memory, and an unordered one may. A
 * relaxed flag is enough of an order: a value that was read has been written. The stack of main,
 * which ends with the process, is excluded, as are synchronisation objects on stacks. Likewise a
 * function's variables and its return, which is an event (graph/execute_frame.c).
 */
#ifndef FAILURE_STACK_GRAPH_H
#define FAILURE_STACK_GRAPH_H

#include "event/finding.h"
#include "trust/trust.h"

struct stack_use {
	u32 access; /* the event */
	u32 frame;  /* the return of the function; 0: the owner has ended */
	u32 owner;  /* its slot */
};

/* Is there such an access in x's graph, a complete execution? */
bool stack_fails_graph(const struct trust *x, struct finding *f, struct stack_use *use);

#endif
