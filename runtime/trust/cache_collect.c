/* SPDX-License-Identifier: ISC */
/*
 * cache_collect.c - a full cache drops all nodes that are not in the current graphs.
 *
 * Dropped labels are obtained from the program again when needed. Rare: with room for CACHE_NODES
 * nodes, after hundreds of thousands of new histories.
 */
#include "trust/trust.h"

static void each_node(struct graph *g, u32 (*change)(struct cache *c, u32 node), struct cache *c)
{
	for (u32 t = 0; t < g->nthreads; t++)
		g->thread[t].node = change(c, g->thread[t].node);
	for (u32 e = 1; e <= g->n; e++)
		g->event[e].node = change(c, g->event[e].node);
}

static u32 use(struct cache *c, u32 node)
{
	cache_use(c, node);
	return node;
}

static u32 moved(struct cache *c, u32 node)
{
	return cache_moved(c, node);
}

/* For the graph, and for each one on the stack. */
static void each_graph(struct trust *x, u32 (*change)(struct cache *c, u32 node))
{
	void *aside = x->stack + x->stack_used;
	struct graph *g = &x->graph;

	BUG_ON(x->stack_used + graph_size(g) > x->stack_size);
	each_node(g, change, &x->cache);
	graph_save(g, aside);
	for (size_t i = 0, at = x->stack_top; i < x->depth; i++) {
		struct level *l = (struct level *)(x->stack + at);

		graph_restore(g, (u8 *)l + LEVEL_HEAD);
		each_node(g, change, &x->cache);
		graph_save(g, (u8 *)l + LEVEL_HEAD);
		at = l->below;
	}
	graph_restore(g, aside);
}

void trust_forget(struct trust *x)
{
	each_graph(x, use);
	cache_forget(&x->cache);
	each_graph(x, moved);
}
