/* SPDX-License-Identifier: ISC */
/* trust_past.c - see trust_past.h. */
#include "trust/trust_past.h"
#include "base/prng.h"
#include "trust/trust_priv.h"

/* Thread `t` up to its event number `index`. */
static u64 sum_history(const struct trust *x, u32 t, u16 index)
{
	const struct graph *g = &x->graph;
	u32 e = g->thread[t].last, n;
	u64 h;

	while (g->event[e].index > index)
		e = g->event[e].po_prev;
	n = g->event[e].node;
	h = prng_mix(g->event[e].value ^ (u64)(g->event[e].flags & (E_EXCL | E_RARE)) << 32 ^ t);
	for (; n; n = x->cache.node[n].parent)
		h = prng_mix(h ^ x->cache.node[n].key);
	return h;
}

static u64 sum_write(const struct graph *g, const u16 *cause, u32 loc)
{
	u32 w = g->place[loc].co_last;

	while (w && !clock_has(g, cause, w))
		w = g->event[w].co_prev;
	return w ? prng_mix(g->places->place[loc].addr ^
			    ((u64)g->event[w].thread << 16 | g->event[w].index) << 32)
		 : 0;
}

u64 trust_past(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const u16 *cause = graph_cause(g, e);
	u64 h = 0;

	for (u32 t = 0; t < g->nthreads; t++)
		if (t != g->event[e].thread && graph_has_thread(g, t) && cause[t])
			h = prng_mix(h ^ sum_history(x, t, cause[t]));
	for (u32 loc = 1; !x->rf && loc < g->nplaces; loc++)
		if (g->places->place[loc].size && g->places->place[loc].atomic)
			h += sum_write(g, cause, loc);
	return h;
}
