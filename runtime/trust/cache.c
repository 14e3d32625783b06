/* SPDX-License-Identifier: ISC */
/* cache.c - see cache.h. */
#include "trust/cache.h"
#include "model/graph.h"

static u32 *node_bucket(const struct cache *c, u32 node, u64 key)
{
	u64 h = (key ^ (u64)node << 40 ^ node) * 0x9e3779b97f4a7c15u;

	return &c->bucket[h >> (64 - CACHE_BUCKET_BITS)];
}

u32 cache_newest(const struct cache *c, const u32 *bucket)
{
	u32 i = *bucket;

	return i > GRAPH_THREADS && i < c->n &&
			       node_bucket(c, c->node[i].parent, c->node[i].key) == bucket
		       ? i
		       : 0;
}

void cache_clear(struct cache *c)
{
	for (u32 i = 0; i <= GRAPH_THREADS; i++)
		c->node[i] = (struct cache_node){.key = 0};
	c->n = c->kept = GRAPH_THREADS + 1;
	c->generation++;
}

static void enter_node(struct cache *c, u32 i)
{
	struct cache_node *n = &c->node[i];
	u32 *b = node_bucket(c, n->parent, n->key);

	n->hash_next = cache_newest(c, b);
	*b = i;
	c->node[n->parent].child = i;
}

u32 cache_find(const struct cache *c, u32 node, u64 key)
{
	u32 i = cache_newest(c, node_bucket(c, node, key));

	while (i && (c->node[i].key != key || c->node[i].parent != node))
		i = c->node[i].hash_next;
	return i;
}

u32 cache_other_child(struct cache *c, u32 node, u64 key)
{
	u32 i = cache_find(c, node, key);

	if (likely(i)) {
		c->node[node].child = i;
		return i;
	}
	if (c->n == c->max)
		return 0;
	i = c->n;
	c->node[i] = (struct cache_node){.key = key, .parent = node};
	enter_node(c, i);
	c->n++;
	return i;
}

/* --- forgetting ------------------------------------------------------------------------------ */

void cache_use(struct cache *c, u32 node)
{
	for (; node && !c->node[node].used; node = c->node[node].parent)
		c->node[node].used = true;
}

u32 cache_moved(const struct cache *c, u32 node)
{
	return c->moved[node];
}

void cache_forget(struct cache *c)
{
	u32 n = c->n;

	c->n = GRAPH_THREADS + 1;
	for (u32 i = 0; i < n; i++) {
		struct cache_node *from = &c->node[i], *to;

		c->moved[i] = 0;
		if (i > GRAPH_THREADS && !from->used)
			continue;
		c->moved[i] = i > GRAPH_THREADS ? c->n : i;
		to = &c->node[c->moved[i]];
		*to = *from;
		to->used = false;
		to->child = 0;
		if (i <= GRAPH_THREADS)
			continue;
		to->parent = c->moved[to->parent]; /* parents come first */
		enter_node(c, c->n);
		c->n++;
	}
	c->kept = c->n;
	c->generation++;
}
