/* SPDX-License-Identifier: ISC */
/* cache.c - see cache.h. */
#include "explore/cache.h"
#include "model/graph.h"

void cache_clear(struct cache *c)
{
	for (u32 i = 0; i <= GRAPH_THREADS; i++)
		c->node[i] = (struct node){.key = 0};
	c->n = GRAPH_THREADS + 1;
	c->generation++;
}

static u32 add(struct cache *c, u32 parent, u64 key)
{
	struct node *p = &c->node[parent];
	u32 i;

	if (c->n == c->max)
		return 0;
	i = c->n++;
	c->node[i] = (struct node){
		.key = key, .parent = parent, .sibling = p->child};
	p->child = i;
	return i;
}

u32 cache_child(struct cache *c, u32 node, u64 key)
{
	struct node *parent = &c->node[node];
	u32 i = parent->child, before = 0;

	while (i && c->node[i].key != key) {
		before = i;
		i = c->node[i].sibling;
	}
	if (!i)
		return add(c, node, key);
	if (before) { /* the next question is likely to be the same */
		c->node[before].sibling = c->node[i].sibling;
		c->node[i].sibling = parent->child;
		parent->child = i;
	}
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
	u32 n = GRAPH_THREADS + 1;

	for (u32 i = 0; i < c->n; i++) {
		struct node *from = &c->node[i], *to;

		c->moved[i] = 0;
		if (i > GRAPH_THREADS && !from->used)
			continue;
		c->moved[i] = i > GRAPH_THREADS ? n++ : i;
		to = &c->node[c->moved[i]];
		*to = *from;
		to->used = false;
		to->child = to->sibling = 0;
		if (i <= GRAPH_THREADS)
			continue;
		to->parent = c->moved[to->parent]; /* it came before */
		to->sibling = c->node[to->parent].child;
		c->node[to->parent].child = c->moved[i];
	}
	c->n = n;
	c->generation++;
}
