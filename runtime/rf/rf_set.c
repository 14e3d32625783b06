/* SPDX-License-Identifier: ISC */
/*
 * rf_set.c - the proposals of each read, and the executions to explore.
 *
 * Sets belong to events of the current execution, the last one first; while a set exists,
 * executions explored above it may add to it.
 */
#include "rf/rf_priv.h"

/* --- memory ----------------------------------------------------------------------------------- */

static u32 class_of(u32 units)
{
	u32 c = 0;

	while (1u << c < units)
		c++;
	return c;
}

/* 0: none left. */
static u32 pool_take(struct rf_priv *p, u32 units)
{
	u32 c = class_of(units), at;

	if (c >= RF_CLASSES)
		return 0;
	at = p->spare[c];
	if (at) {
		p->spare[c] = *(u32 *)rf_at(p, at);
		return at;
	}
	if (p->arena_size - p->arena_used < 1u << c)
		return 0;
	at = p->arena_used;
	p->arena_used += 1u << c;
	return at;
}

static void pool_give(struct rf_priv *p, u32 at, u32 units)
{
	u32 c = class_of(units);

	*(u32 *)rf_at(p, at) = p->spare[c];
	p->spare[c] = at;
}

static u32 units_of(size_t bytes)
{
	return (u32)((bytes + 15) / 16);
}

static u32 recipe_units(u32 nitems, u32 nco)
{
	return units_of(sizeof(struct rf_recipe) + nitems * sizeof(struct rf_item) +
			nco * sizeof(u32));
}

/* --- sets ------------------------------------------------------------------------------------- */

void rf_sets_clear(struct rf *x)
{
	struct rf_priv *p = x->priv;

	p->nalive = 0;
	p->arena_used = 1;
	__builtin_memset(p->spare, 0, sizeof p->spare);
	__builtin_memset(p->bucket, 0, RF_BUCKETS * sizeof *p->bucket);
}

void rf_set_open(struct rf *x, u32 r, bool waits)
{
	struct rf_priv *p = x->priv;

	BUG_ON(p->nalive && p->alive[p->nalive - 1] >= r);
	p->alive[p->nalive++] = (u16)r;
	p->set[r] = (struct rf_set){.thread = x->trust->graph.event[r].thread, .waits = waits};
}

bool rf_set_last(const struct rf *x, u32 *r)
{
	const struct rf_priv *p = x->priv;

	if (!p->nalive)
		return false;
	*r = p->alive[p->nalive - 1];
	return true;
}

static u32 *bucket_of(const struct rf_priv *p, u32 r, const u64 key[2])
{
	return &p->bucket[(key[0] ^ r * 0x9e3779b97f4a7c15u) % RF_BUCKETS];
}

static struct rf_entry *rf_entry_at(const struct rf_priv *p, u32 at)
{
	return rf_at(p, at);
}

void rf_set_close(struct rf *x)
{
	struct rf_priv *p = x->priv;
	u32 r = p->alive[--p->nalive], next;

	BUG_ON(p->set[r].pending);
	for (u32 at = p->set[r].first; at; at = next) {
		struct rf_entry *e = rf_entry_at(p, at);
		u32 *link = bucket_of(p, r, e->key);

		while (*link != at)
			link = &rf_entry_at(p, *link)->chain;
		*link = e->chain;
		next = e->next;
		pool_give(p, at, units_of(sizeof *e));
	}
}

/* Does the event have a set? */
static bool is_alive(const struct rf_priv *p, u32 r)
{
	u32 low = 0, high = p->nalive;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (p->alive[middle] < r)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->nalive && p->alive[low] == r;
}

/* Keys of different events share buckets, and differ in the event that is part of them. */
bool rf_known(const struct rf *x, u32 r, const u64 key[2])
{
	const struct rf_priv *p = x->priv;

	BUG_ON(!is_alive(p, r));
	for (u32 at = *bucket_of(p, r, key); at; at = rf_entry_at(p, at)->chain) {
		const struct rf_entry *e = rf_entry_at(p, at);

		if (e->key[0] == key[0] && e->key[1] == key[1])
			return true;
	}
	return false;
}

/* An entry for r; 0: no room. */
static u32 enter_read(struct rf *x, u32 r, const u64 key[2])
{
	struct rf_priv *p = x->priv;
	u32 at = pool_take(p, units_of(sizeof(struct rf_entry))), *link = bucket_of(p, r, key);
	struct rf_entry *e = rf_entry_at(p, at);

	if (!at) {
		x->trust->bounded |= TRUST_ROOM;
		return 0;
	}
	*e = (struct rf_entry){
		.key = {key[0], key[1]}, .next = p->set[r].first, .chain = *link};
	p->set[r].first = *link = at;
	return at;
}

void rf_refuse(struct rf *x, u32 r, const u64 key[2])
{
	enter_read(x, r, key);
}

struct rf_recipe *rf_keep(struct rf *x, u32 r, const u64 key[2], u32 nitems, u32 nco)
{
	struct rf_priv *p = x->priv;
	u32 at = enter_read(x, r, key), recipe = at ? pool_take(p, recipe_units(nitems, nco)) : 0;
	struct rf_entry *e = rf_entry_at(p, at);

	if (!recipe) {
		x->trust->bounded |= TRUST_ROOM;
		return NULL;
	}
	e->recipe = recipe;
	e->more = p->set[r].pending;
	p->set[r].pending = at;
	*(struct rf_recipe *)rf_at(p, recipe) = (struct rf_recipe){.nitems = nitems, .nco = nco};
	return rf_at(p, recipe);
}

struct rf_recipe *rf_take(struct rf *x, u32 r)
{
	struct rf_priv *p = x->priv;
	u32 at = p->set[r].pending;
	struct rf_entry *e = rf_entry_at(p, at);
	struct rf_recipe *recipe;

	if (!at)
		return NULL;
	p->set[r].pending = e->more;
	recipe = rf_at(p, e->recipe);
	e->recipe = 0;
	return recipe;
}

void rf_done(struct rf *x, struct rf_recipe *recipe)
{
	pool_give(x->priv, (u32)(((u8 *)recipe - x->priv->arena) / 16),
		recipe_units(recipe->nitems, recipe->nco));
}
