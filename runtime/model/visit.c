/* SPDX-License-Identifier: ISC */
/* visit.c - see visit.h. */
#include "model/visit.h"

void visit_clear(struct graph *g)
{
	u32 n = g->n < GRAPH_EVENTS / 2 ? 2 * g->n + 64 : GRAPH_EVENTS + 1;

	if (!g->epoch) { /* the marks are of an earlier round of epochs */
		g->epoch = 1;
		g->nmarked = 0;
	}
	__builtin_memset(g->mark + g->nmarked, 0, (n - g->nmarked) * sizeof *g->mark);
	g->nmarked = n;
}
