/* SPDX-License-Identifier: ISC */
/* trust_pieces_hang.c - RMWs of several pieces that hang (trust_pieces.c): which, and until
 * when. */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

bool pieces_any_hang(const struct graph *g)
{
	for (u32 t = 0; t < g->nthreads; t++) {
		if (pieces_hang(g, t))
			return true;
	}
	return false;
}

/* Reads that hang because of e, the last event, no longer do; e = 0: hanging reads keep that
 * state. */
static void end_hanging(struct graph *g, u32 e)
{
	for (u32 t = 0; t < g->nthreads; t++) {
		struct gevent *r = &g->event[g->thread[t].last];

		if (!pieces_hang(g, t) || (e && r->cursor != e))
			continue;
		r->state = e ? STATE_FRESH : STATE_HANGS;
		r->cursor = 0;
	}
}

void pieces_hang_on(struct graph *g)
{
	end_hanging(g, 0);
}

void pieces_changes(struct graph *g, u32 e)
{
	end_hanging(g, e);
}

/* Are e's sources consistent, for any effect of its access? */
static bool are_sources_possible(struct trust *x, u32 e, u32 changed)
{
	pieces_set_partial(x, e);
	return graph_consistent(&x->graph, changed, changed == e ? 0 : e);
}

bool pieces_hang_by_order(struct trust *x, u32 e, u32 changed)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e);
	const u16 *clock = clock_before(g, graph_half_first(g, e));
	u32 w = g->event[e].rf, v = g->place[g->event[e].loc].co_last;
	bool hangs, newer = true;

	if (l->type != LABEL_CAS || l->order == l->fail)
		return false;
	hangs = are_sources_possible(x, e, changed);
	while (hangs) {
		newer &= v != w;
		graph_set_source(g, e, v);
		hangs = !pieces_could_read(x, e) && !(newer && are_sources_possible(x, e, e));
		if (graph_known(g, clock, g->event[e].loc, v))
			break;
		v = g->event[v].co_prev;
	}
	graph_set_source(g, e, w);
	if (!hangs) {
		pieces_take_value(x, e, false);
		return false;
	}
	pieces_set_partial(x, e);
	g->event[e].state = STATE_HANGS;
	g->event[e].cursor = 0;
	return true;
}
