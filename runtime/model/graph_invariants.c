/* SPDX-License-Identifier: ISC */
/*
 * graph_invariants.c - invariants of a graph and of its copies (make TINY=1), besides those
 * required also of a foreign graph (graph_sound.c).
 */
#include "model/graph.h"
#include "model/pieces.h"

/* Clocks contain those of the predecessor; happens-before is part of po|rf. */
static void check_monotone(const struct graph *g, u32 e)
{
	const struct gevent *x = &g->event[e];
	const u16 *cause = graph_cause(g, e), *hb = graph_hb(g, e);
	u16 last = g->event[graph_half_last(g, e)]
			   .index; /* the pieces of an access share their clocks */

	for (u32 t = 0; t < g->lanes; t++) {
		BUG_ON(cause[t] < graph_cause(g, x->po_prev)[t] ||
			cause[t] < graph_cause(g, x->rf)[t]);
		BUG_ON(hb[t] < graph_hb(g, x->po_prev)[t] || hb[t] > cause[t]);
	}
	BUG_ON(cause[x->thread] != last || hb[x->thread] != last);
}

void graph_check_clocks(const struct graph *g)
{
	for (u32 e = 1; e <= g->n; e++)
		check_monotone(g, e);
}

void graph_check_copy(struct graph *g, void *memory)
{
	size_t size = graph_size(g);
	u8 *one = memory, *two = one + size;

	__builtin_memset(one, 0, 2 * size);
	graph_save(g, one);
	__builtin_memset(g->event, 0x5a, (g->n + 1) * sizeof *g->event);
	__builtin_memset(g->clocks, 0x5a, (g->n + 1) * (size_t)g->lanes * g->nclocks * sizeof(u16));
	__builtin_memset(g->thread, 0x5a, g->nthreads * sizeof *g->thread);
	__builtin_memset(g->place, 0x5a, g->nplaces * sizeof *g->place);
	g->n = g->nplaces = g->nsc = g->nmarks = 0;
	graph_restore(g, one);
	graph_save(g, two);
	BUG_ON(graph_size(g) != size || __builtin_memcmp(one, two, size));
}
