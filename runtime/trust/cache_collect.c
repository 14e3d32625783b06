/* SPDX-License-Identifier: ISC */
/*
 * cache_collect.c - a full cache drops the nodes that no graph uses: neither the current one, nor
 * one that is saved or set aside.
 *
 * Dropped labels are obtained from the program again when needed. This is rare: CACHE_NODES nodes
 * are hundreds of thousands of new histories.
 */
#include "trust/trust.h"

static void each_node(struct graph *g, u32 (*change)(struct cache *c, u32 node), struct cache *c)
{
	for (u32 t = 0; t < g->nthreads; t++)
		g->thread[t].node = change(c, g->thread[t].node);
	for (u32 e = 1; e <= g->n; e++)
		g->event[e].node = change(c, g->event[e].node);
}

static u32 mark_used(struct cache *c, u32 node)
{
	cache_use(c, node);
	return node;
}

static u32 moved(struct cache *c, u32 node)
{
	return cache_moved(c, node);
}

static void each_node_of_copy(struct trust *x, void *copy, u32 (*change)(struct cache *c, u32 node))
{
	graph_restore(&x->graph, copy);
	each_node(&x->graph, change, &x->cache);
	graph_save(&x->graph, copy);
}

/* For the graph, and for each copy. */
static void each_graph(struct trust *x, u32 (*change)(struct cache *c, u32 node))
{
	struct graph *g = &x->graph;

	each_node(g, change, &x->cache);
	graph_save(g, x->spare);
	for (size_t i = 0, at = x->top; i < x->depth; i++) {
		struct saved_level *l = trust_level_at(x, at);

		each_node_of_copy(x, (u8 *)l + LEVEL_HEAD, change);
		at = l->below;
	}
	for (struct aside *a = x->aside; a; a = a->below)
		each_node_of_copy(x, (u8 *)a + LEVEL_HEAD, change);
	graph_restore(g, x->spare);
}

void trust_forget(struct trust *x)
{
	each_graph(x, mark_used);
	cache_forget(&x->cache);
	each_graph(x, moved);
}
