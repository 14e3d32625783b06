/* SPDX-License-Identifier: ISC */
/*
 * axiom_graph.h - the axioms of the model in a file that would forbid a failing execution graph.
 *
 * Under that model the graph is allowed: so the question is which changes of the program would
 * forbid it, and by which axiom. Tried are acquire and release on the accesses of its cycle that
 * read from another thread or are read, and seq_cst fences between those of a thread; fences that
 * are not needed are left out. Where the file is the reference of a comparison, the axiom is that
 * which forbids the graph as it is.
 */
#ifndef FAILURE_AXIOM_GRAPH_H
#define FAILURE_AXIOM_GRAPH_H

#include "event/trace.h"
#include "model/cycle.h"

struct graph;

#define AXIOM_LINKS 24

/* Two events, 0: an initial value; and the name of their relation in the file. */
struct axiom_link {
	u32 from, to;
	char name[40];
};

struct axiom_found {
	char name[80]; /* "": nothing is known */
	u32 repair;    /* enum trace_repair */
	u32 n;
	struct axiom_link link[AXIOM_LINKS];
};

/*
 * Fills *a. c: the cycle of g that excludes a sequentially consistent execution, in steps; its edge
 * i begins at event[i] of g. Edges of program order that the model keeps without a fence are
 * marked.
 */
void axiom_graph_find(struct graph *g, struct cycle *c, const u16 *event, struct axiom_found *a);

#endif
