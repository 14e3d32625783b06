/* SPDX-License-Identifier: ISC */
/*
 * ra.c - release-acquire: hb = po|rf, coherence, and nothing else.
 *
 * Lahav, Giannarakis, Vafeiadis, "Taming release-acquire consistency", POPL 2016.
 */
#include "model/pieces.h"

/* Does an event with this clock before it know w, or a write that is later in co? */
static bool knows(const struct graph *g, const u16 *clock, u32 loc, u32 w)
{
	for (; w; w = g->event[w].co_next)
		if (graph_known(g, clock, loc, w))
			return true;
	return false;
}

/* No access is older in co than its predecessors by po and rf. */
static bool is_coherent(const struct graph *g)
{
	for (u32 i = 1; i <= g->n; i++) {
		const struct gevent *e = &g->event[i];
		u32 next = e->co_next;

		if (!(e->flags & (E_READ | E_WRITE)) || e->flags & E_WAIT)
			continue;
		if (e->flags & E_READ)
			next = e->rf ? g->event[e->rf].co_next : g->place[e->loc].co_first;
		if (knows(g, graph_cause(g, e->po_prev), e->loc, next))
			return false;
	}
	return pieces_atomic(g);
}

const struct model model_ra = {
	.id = MODEL_RA,
	.is_drf_sc = true,
	.has_orders = true,
	.consistent = pieces_consistent,
	.allows = is_coherent,
	.includes = 1 << MODEL_SC | 1 << MODEL_TSO | 1 << MODEL_SRA,
};
