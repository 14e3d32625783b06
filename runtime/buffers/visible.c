/* SPDX-License-Identifier: ISC */
/* visible.c - see visible.h. */
#include "buffers/visible.h"
#include "base/prng.h"
#include "base/table.h"
#include "machine/access/granule.h"
#include "process/module.h"

#define KNOWN	(1u << 16) /* a hash table by address, 0: free */
#define LEARNED 1024	   /* in one execution; further ones are found again */

u32 visible_known;
static u64 known[KNOWN], learned[LEARNED];
static u32 nlearned;
static u32 slot[KNOWN / 2]; /* in the order in which they came to be known */
static u32 kept;

static u64 granule(u64 addr)
{
	return addr & ~(u64)(GRANULE_SIZE - 1);
}

static u64 *find_visible(u64 addr)
{
	u32 i;

	TABLE_FIND(i, prng_mix(granule(addr)), KNOWN, !known[i] || known[i] == granule(addr));
	return &known[i];
}

/* Those that came last were not there when the others were looked for. */
static void know_only(u32 n)
{
	while (visible_known > n)
		known[slot[--visible_known]] = 0;
	nlearned = 0;
}

void visible_clear(void)
{
	know_only(0);
}

void visible_keep(void)
{
	kept = visible_known;
}

void visible_put_back(void)
{
	know_only(kept);
}

bool visible_has(u64 addr)
{
	return visible_known && *find_visible(addr);
}

void visible_learn(u64 addr)
{
	if (nlearned < LEARNED)
		learned[nlearned++] = granule(addr);
}

u32 visible_learned(void)
{
	return nlearned;
}

bool visible_is_news(void)
{
	for (u32 i = 0; i < nlearned; i++)
		if (!visible_has(learned[i]))
			return true;
	return false;
}

void visible_unlearn(u32 n)
{
	nlearned = n;
}

u32 visible_copy(u64 *to, u32 room)
{
	u32 n = nlearned < room ? nlearned : room;

	__builtin_memcpy(to, learned, n * sizeof *to);
	return n;
}

bool visible_is_full(void)
{
	return visible_known >= KNOWN / 2;
}

static void add_address(u64 addr)
{
	u64 *at = find_visible(addr);

	if (*at || visible_is_full())
		return;
	*at = granule(addr);
	slot[visible_known++] = (u32)(at - known);
}

static bool known_at(u64 addr)
{
	return *find_visible(addr) == addr;
}

/* Runs of granules, by the first of each. */
void visible_put(struct trace_writer *w)
{
	for (u32 i = 0; visible_known && i < KNOWN; i++) {
		struct trace_visible v = {known[i], GRANULE_SIZE};

		if (!v.at || known_at(v.at - GRANULE_SIZE))
			continue;
		while (known_at(v.at + v.size))
			v.size += GRANULE_SIZE;
		trace_put_visible(w, &v);
	}
}

void visible_read(const struct trace *t)
{
	for (u32 i = 0; i < t->nvisible; i++)
		for (u32 k = 0; k < t->visible[i].size; k += GRANULE_SIZE)
			add_address(module_address(t, t->visible[i].at) + k);
}

bool visible_adopt(void)
{
	u32 before = visible_known;

	while (nlearned)
		add_address(learned[--nlearned]);
	return visible_known != before;
}
