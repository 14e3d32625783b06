/* SPDX-License-Identifier: ISC */
/* trust_heap.h - may an event be a race or a heap error? */
#ifndef TRUST_TRUST_HEAP_H
#define TRUST_TRUST_HEAP_H

#include "trust/trust.h"

/* May e, which names a block of the heap, be an error? Not the operation on an object after the
 * allocation of its block, if that has not been freed. */
static inline bool trust_use_may_be_wrong(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e);
	u32 h = label_block(l), w;

	if (l->type != LABEL_SYNC)
		return true;
	w = h < g->nplaces ? g->place[h].co_last : 0;
	return w && !(g->event[w].value && clock_has(g, graph_hb(g, e), w));
}

/* Does e need trust_fault()? */
static inline bool trust_may_be_wrong(const struct trust *x, u32 e)
{
	return unlikely(x->graph.place[x->graph.event[e].loc].nplain) ||
	       (x->heap && label_block(trust_label(x, e)) && trust_use_may_be_wrong(x, e));
}

#endif
