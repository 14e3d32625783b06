/* SPDX-License-Identifier: ISC */
/*
 * cache.h - the next label of each thread, by the values that it has read.
 *
 * A tree: a *node* is a thread with a history; it has a label, once the program has run to it,
 * and a successor for each result of its label so far. Node t (1-based: t + 1) is the beginning
 * of thread t.
 */
#ifndef TRUST_CACHE_H
#define TRUST_CACHE_H

#include "model/label.h"

/* Values of node.quiet: has a thread at this node nothing left to do? It has ended; or it joins
 * others and then ends, if all of them return 0, or it does not. */
enum quiet { QUIET_UNKNOWN, QUIET_YES, QUIET_JOINS, QUIET_JOINS_NOT };

struct cache_node {
	struct label label;
	u64 key;      /* the parent's result for this node */
	u32 parent;
	u32 child;    /* the successor used last; 0 = none */
	u32 hash_next;
	u8 quiet;     /* enum quiet: kept by the explorer */
	u8 await;     /* likewise: trust_await.c */
	bool waited;  /* LABEL_WAITED */
	bool used;    /* during cache_forget() */
} __attribute__((aligned(64))); /* a cache line of the processor */

#define CACHE_BUCKET_BITS TINY(1, 17)

struct cache {
	struct cache_node *node;
	u32 *moved; /* [max]: new numbers, after cache_forget() */
	u32 *bucket; /* [1 << CACHE_BUCKET_BITS]: by parent and key; cache_newest() */
	u32 n, max;
	u32 generation; /* changes when nodes are renumbered */
	u32 kept;	/* nodes left by the last cache_forget() */
};

/* Is there no room for so many more nodes? */
static inline bool cache_is_full(const struct cache *c, u32 margin)
{
	return c->n + margin > c->max || TINY(c->n > c->kept + 4, false);
}

/* The node of a thread's beginning. */
static inline u32 cache_root(u32 thread)
{
	return thread + 1;
}

/* The successor of a node for this result, made on demand. 0: the cache is full. */
u32 cache_other_child(struct cache *c, u32 node, u64 key);

static inline u32 cache_child(struct cache *c, u32 node, u64 key)
{
	u32 last = c->node[node].child;

	return likely(last && c->node[last].key == key) ? last : cache_other_child(c, node, key);
}

/* The same, if it exists. 0: not yet. */
u32 cache_find(const struct cache *c, u32 node, u64 key);

/* The node that was added last to a bucket, or 0. Buckets are never cleared: as in the sparse sets
 * of Briggs and Torczon (1993), an entry is void unless it is a node of this bucket. */
u32 cache_newest(const struct cache *c, const u32 *bucket);

/* The cache, whose buckets may have any contents, is empty. */
void cache_clear(struct cache *c);

/* Forgetting: cache_use() marks a node to keep, with its history; cache_forget() drops the others.
 * cache_moved() is the new number of a node, until a node is added. */
void cache_use(struct cache *c, u32 node);
void cache_forget(struct cache *c);
u32 cache_moved(const struct cache *c, u32 node);

/* cache_invariants.c: checks the invariants of the cache. */
void cache_check(const struct cache *c);

#endif
