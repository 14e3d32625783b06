/* SPDX-License-Identifier: ISC */
/*
 * verify_seen.c - the states that a search has visited: an array of keys, and a hash table of their
 * positions.
 *
 * Keys are compared as a whole, so answers are deterministic. A full table is rebuilt with twice
 * the size, after all other data; the old one's space is not reused.
 */
#include "verify/verify_priv.h"
#include "base/table.h"

#define TABLE_FIRST TINY(2, 256)

/* n bytes, not zeroed. */
static void *take_rest(struct verify_priv *p, size_t n)
{
	struct arena *a = &p->rest;
	void *at = a->mem + a->used;

	n = (n + 3) & ~(size_t)3;
	if (n > a->size - a->used || a->used + n > (size_t)UINT32_MAX * 4)
		return NULL;
	a->used += n;
	return at;
}

static u64 hash_seen_key(const u16 *key, u32 n)
{
	u64 h = n;

	for (u32 i = 0; i < n; i++) {
		h = (h ^ key[i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	return h;
}

static void put(struct verify_priv *p, u64 hash, u32 at)
{
	u32 i;

	TABLE_FIND(i, hash, p->table_size, !p->table[i]);
	p->table[i] = at;
	p->table_used++;
}

static bool new_seen_table(struct verify_priv *p, u32 size)
{
	const u32 *old = p->table;
	u32 n = p->table_size;

	p->table = take_rest(p, size * sizeof(u32));
	if (!p->table)
		return false;
	__builtin_memset(p->table, 0, size * sizeof(u32));
	p->table_size = size;
	p->table_used = 0;
	for (u32 i = 0; i < n; i++) {
		const u16 *key = (const u16 *)(p->rest.mem + 4 * (size_t)old[i]);

		if (old[i])
			put(p, hash_seen_key(key + 1, key[0]), old[i]);
	}
	return true;
}

void verify_seen_clear(struct verify_priv *p)
{
	p->rest.used = 4; /* position 0 stands for no key */
	p->table_size = 0;
	new_seen_table(p, TABLE_FIRST);
}

static bool is_key(const struct verify_priv *p, u32 at, const u16 *key, u32 n)
{
	const u16 *other = (const u16 *)(p->rest.mem + 4 * (size_t)at);

	return other[0] == n && !__builtin_memcmp(other + 1, key, n * sizeof *key);
}

enum key_seen verify_seen(struct verify_priv *p, const u16 *key, u32 n)
{
	u64 hash = hash_seen_key(key, n);
	u16 *own;
	u32 i;

	if (!p->table ||
		(p->table_used * 2 >= p->table_size && !new_seen_table(p, p->table_size * 2)))
		return SEEN_FULL;
	TABLE_FIND(i, hash, p->table_size, !p->table[i] || is_key(p, p->table[i], key, n));
	if (p->table[i])
		return SEEN_OLD;
	own = take_rest(p, (n + 1) * sizeof *own);
	if (!own)
		return SEEN_FULL;
	own[0] = (u16)n;
	__builtin_memcpy(own + 1, key, n * sizeof *key);
	put(p, hash, (u32)(((u8 *)own - p->rest.mem) / 4));
	return SEEN_NEW;
}
