/* SPDX-License-Identifier: ISC */
/* t_cache.c - histories of threads: found again, distinguished, dropped without losing those in
 * use. */
#include "trust/cache.h"
#include "model/graph.h"

#include "unit.h"

#include <stdlib.h>

#define ROOM (GRAPH_THREADS + 1 + 2000)

static struct cache cache;

static void begin(u32 max)
{
	cache = (struct cache){.max = max};
	cache.node = aligned_alloc(sizeof *cache.node, max * sizeof *cache.node);
	cache.moved = calloc(max, sizeof *cache.moved);
	cache.bucket = calloc((size_t)1 << CACHE_BUCKET_BITS, sizeof *cache.bucket);
	CU_ASSERT_FATAL(cache.node && cache.moved && cache.bucket);
	for (u32 i = 0; i < 1u << CACHE_BUCKET_BITS; i++) /* the cache does not rely on zeroes */
		cache.bucket[i] = GRAPH_THREADS + i % 8;
	cache_clear(&cache);
}

static void end(void)
{
	free(cache.node);
	free(cache.moved);
	free(cache.bucket);
}

/* A node with a successor has a label. */
static u32 child(u32 node, u64 key)
{
	cache.node[node].label.type = LABEL_READ;
	return cache_child(&cache, node, key);
}

static void found_again(void)
{
	u32 a, b;

	begin(ROOM);
	a = child(cache_root(0), 5);
	CU_ASSERT_EQUAL(child(cache_root(0), 5), a);
	CU_ASSERT_NOT_EQUAL(child(cache_root(0), 6), a);
	CU_ASSERT_NOT_EQUAL(child(cache_root(1), 5), a);
	b = child(a, 5);
	CU_ASSERT(b && b != a);
	CU_ASSERT_EQUAL(child(a, 5), b);
	CU_ASSERT_EQUAL(cache.node[a].child, b);
	cache_check(&cache);
	end();
}

/* A lack of room is reported, and nodes stay. */
static void full(void)
{
	u32 n = 0, first;

	begin(GRAPH_THREADS + 1 + 10);
	first = child(cache_root(0), 0);
	while (child(cache_root(0), ++n))
		;
	CU_ASSERT_EQUAL(n, 10);
	CU_ASSERT_EQUAL(child(cache_root(0), 0), first);
	CU_ASSERT(cache_is_full(&cache, 1));
	cache_check(&cache);
	end();
}

/* Of 100 histories of 10 results each, every third stays, with all its prefixes. */
static void forgotten(void)
{
	u32 leaf[100], generation;

	begin(ROOM);
	for (u32 i = 0; i < 100; i++) {
		leaf[i] = cache_root(i % 4);
		for (u32 k = 0; k < 10; k++)
			leaf[i] = child(leaf[i], k < 3 ? i / 20 : i * k);
		cache.node[leaf[i]].label.value = i;
	}
	generation = cache.generation;
	for (u32 i = 0; i < 100; i += 3)
		cache_use(&cache, leaf[i]);
	cache_forget(&cache);
	CU_ASSERT_NOT_EQUAL(cache.generation, generation);
	cache_check(&cache);
	for (u32 i = 0; i < 100; i++) {
		u32 to = cache_moved(&cache, leaf[i]), at = cache_root(i % 4), n = cache.n;

		CU_ASSERT_EQUAL(to != 0, i % 3 == 0);
		if (!to)
			continue;
		CU_ASSERT_EQUAL(cache.node[to].label.value, i);
		for (u32 k = 0; k < 10; k++)
			at = child(at, k < 3 ? i / 20 : i * k);
		CU_ASSERT_EQUAL(at, to);
		CU_ASSERT_EQUAL(cache.n, n);
	}
	end();
}

const struct unit_test cache_tests[] = {
	{"found again", found_again},
	{"full", full},
	{"forgotten", forgotten},
	{NULL, NULL},
};
