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

static u64 write_key(const struct graph *g, u32 w)
{
	return prng_mix(g->places->place[g->event[w].loc].addr ^
			((u64)g->event[w].thread << 16 | g->event[w].index) << 32);
}

/* The last one by coherence. */
static u64 sum_last(const struct graph *g, const u16 *cause, u32 loc)
{
	u32 w = g->place[loc].co_last;

	while (w && !clock_has(g, cause, w))
		w = g->event[w].co_prev;
	return w ? write_key(g, w) : 0;
}

/* Those before no other one: where stores have no order but by happens-before. */
static u64 sum_maximal(const struct graph *g, const u16 *cause, u32 loc)
{
	u32 last[GRAPH_THREADS] = {0}, t, o;
	u64 sum = 0;

	for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next) {
		t = g->event[w].thread;
		if (clock_has(g, cause, w) &&
			(!last[t] || g->event[w].index > g->event[last[t]].index))
			last[t] = w;
	}
	for (t = 0; t < g->nthreads; t++) {
		if (!last[t])
			continue;
		for (o = 0; o < g->nthreads; o++)
			if (o != t && last[o] && clock_has(g, graph_cause(g, last[o]), last[t]))
				break;
		sum += o == g->nthreads ? write_key(g, last[t]) : 0;
	}
	return sum;
}

u64 trust_past(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const u16 *cause = graph_cause(g, e);
	u64 h = 0;

	for (u32 t = 0; t < g->nthreads; t++)
		if (t != g->event[e].thread && graph_has_thread(g, t) && cause[t])
			h = prng_mix(h ^ sum_history(x, t, cause[t]));
	for (u32 loc = 1; loc < g->nplaces; loc++)
		if (g->places->place[loc].size)
			h += x->rf ? sum_maximal(g, cause, loc) : sum_last(g, cause, loc);
	return h;
}
