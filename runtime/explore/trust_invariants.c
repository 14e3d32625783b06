/* SPDX-License-Identifier: ISC */
/*
 * trust_invariants.c - what is always so of an exploration between two steps (make TINY=1): of the
 * graph as it stands, of where its threads stand in the cache, and of the saved graphs.
 */
#include "explore/graph.h"

/* Is `node` where a thread stands that was at the node of event e and has done it? */
static void check_behind(const struct trust *x, u32 e, u32 node)
{
	const struct gevent *last = &x->graph.event[e];
	const struct node *n = &x->cache.node[node];
	bool half = (last->flags & (E_READ | E_EXCL)) == (E_READ | E_EXCL) && node == last->node;

	BUG_ON(!node || node >= x->cache.n);
	if (last->flags & E_WAIT || half) /* still there; its write is to come */
		BUG_ON(node != last->node && n->parent != last->node);
	else
		BUG_ON(n->parent != last->node);
}

static void check_nodes(const struct trust *x)
{
	const struct graph *g = &x->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct gthread *th = &g->thread[t];

		if (!th->last) {
			BUG_ON((t == 0 || th->create) && th->node != cache_root(t));
			continue;
		}
		check_behind(x, th->last, th->node);
		BUG_ON(g->event[th->first].node != cache_root(t));
	}
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];
		const struct label *l = trust_label(x, e);

		BUG_ON(l->type != ev->type || l->loc != ev->loc);
		if (!ev->po_prev)
			continue;
		if (ev->flags & E_EXCL && ev->flags & E_WRITE)
			BUG_ON(ev->node != g->event[ev->po_prev].node);
		else
			check_behind(x, ev->po_prev, ev->node);
	}
}

/* Saved graphs lie one behind the other, to the end of what is used. */
static void check_levels(const struct trust *x)
{
	size_t end = x->stack_used, at = x->stack_top;
	u64 number = x->pushes;

	BUG_ON(x->base > x->graph.n || end > x->stack_size);
	for (u32 i = 0; i < x->depth; i++) {
		const struct level *l = (const struct level *)(x->stack + at);

		BUG_ON(at + l->size != end || l->number >= number || l->size < LEVEL_HEAD);
		number = l->number;
		end = at;
		at = l->below;
	}
}

void trust_check(struct trust *x)
{
	void *aside = x->stack + x->stack_used;

	cache_check(&x->cache);
	check_levels(x);
	check_nodes(x);
	graph_check(&x->graph);
	if (x->stack_used + 2 * graph_size(&x->graph) <= x->stack_size)
		graph_check_copy(&x->graph, aside);
}
