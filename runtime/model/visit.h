/* SPDX-License-Identifier: ISC */
/*
 * visit.h - the events that a walk through a graph has visited: g->mark[e] == g->epoch.
 *
 * A new walk is a new epoch, so it clears nothing. Nor does a new graph, as long as it is small.
 */
#ifndef MODEL_VISIT_H
#define MODEL_VISIT_H

#include "model/graph.h"

/* Makes room for the marks of all events: for visit_begin(). */
void visit_clear(struct graph *g);

/* A new walk; nothing has been visited. */
static inline void visit_begin(struct graph *g)
{
	if (unlikely(!++g->epoch || g->n >= g->nmarked))
		visit_clear(g);
}

#endif
