/* SPDX-License-Identifier: ISC */
/*
 * graph_leaf.h - the verdict on an execution that is over, known as a graph: complete, blocked, or
 * a finding, which is recorded if it is new.
 */
#ifndef SEARCH_GRAPH_GRAPH_LEAF_H
#define SEARCH_GRAPH_GRAPH_LEAF_H

#include "failure/verdict.h"
#include "trust/trust.h"

/* x begins a search. False: not enough memory. */
bool graph_leaf_begin(struct trust *x);

/* Count the execution and return the verdict. *over: no event can be added. */
enum search_verdict graph_leaf_judge(
	const struct graph *g, enum leaf how, u32 t, u32 other, bool *over);

/* As in struct program: is such a race ignored? / Is any, in this search or an earlier one? */
bool graph_leaf_passes(struct program *p, const struct label *a, const struct label *b);
bool graph_leaf_is_lenient(void);

#endif
