/* SPDX-License-Identifier: ISC */
/* cache_invariants.c - invariants of the tree of histories (make TINY=1). */
#include "trust/cache.h"
#include "model/graph.h"

void cache_check(const struct cache *c)
{
	u32 met = 0;

	BUG_ON(c->n > c->max || c->n <= GRAPH_THREADS);
	for (u32 i = 0; i < 1u << CACHE_BUCKET_BITS; i++) {
		for (u32 k = cache_newest(c, &c->bucket[i]); k; k = c->node[k].hash_next) {
			BUG_ON(k >= c->n || c->node[k].hash_next >= k); /* the newest first */
			met++;
		}
	}
	BUG_ON(met != c->n - GRAPH_THREADS - 1);
	for (u32 i = 0; i < c->n; i++) {
		const struct cache_node *n = &c->node[i];

		BUG_ON(n->used);
		BUG_ON(i <= GRAPH_THREADS ? n->parent : !n->parent || n->parent >= i);
		BUG_ON(n->child && (n->child >= c->n || c->node[n->child].parent != i));
		if (i > GRAPH_THREADS)
			BUG_ON(c->node[n->parent].label.type == LABEL_UNKNOWN ||
				!c->node[n->parent].child);
	}
}
