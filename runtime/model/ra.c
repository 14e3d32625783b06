/* SPDX-License-Identifier: ISC */
/*
 * ra.c - release-acquire: hb = po|rf, coherence, and nothing else, but that all threads agree on
 * one order of the operations on kernel objects, which contains hb.
 *
 * Lahav, Giannarakis, Vafeiadis, "Taming release-acquire consistency", POPL 2016.
 */
#include "model/acyclic.h"

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

static bool kernel_cycle(struct graph *g, u32 e)
{
	return walk_is_kernel(&g->event[e]) && walk_returns(g, e, WALK_KERNEL, walk_po);
}

/* Only an operation on a kernel object has a successor although it is the last of its thread. */
static bool ra_consistent(struct graph *g, u32 e, u32 r)
{
	return pieces_consistent(g, e, r) && !kernel_cycle(g, e) && !(r && kernel_cycle(g, r));
}

static u32 ra_after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_KERNEL, walk_po);
}

static bool ra_allows(const struct graph *g)
{
	struct graph *walked = (struct graph *)(uintptr_t)g; /* only its scratch is written */

	for (u32 e = 1; e <= g->n; e++)
		if (kernel_cycle(walked, e))
			return false;
	return is_coherent(g);
}

const struct model model_ra = {
	.id = MODEL_RA,
	.is_drf_sc = true,
	.has_orders = true,
	.has_sc_events = true,
	.consistent = ra_consistent,
	.allows = ra_allows,
	.after = ra_after,
	.without_fr = true,
	.needs_sc = true,
	.includes = 1 << MODEL_SC | 1 << MODEL_TSO | 1 << MODEL_SRA,
};
