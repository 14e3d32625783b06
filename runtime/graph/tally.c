/* SPDX-License-Identifier: ISC */
/* tally.c - see tally.h. */
#include "graph/tally.h"
#include "process/shared.h"

#define TALLIES 64

struct tally_entry {
	u64 addr;
	u32 size;
	bool refused;
	bool stored; /* atomically, other than by an RMW */
	u64 threads; /* that access it atomically, a bit each */
};

struct tallies {
	u32 n;
	struct tally_entry tally[TALLIES];
};

static struct tallies *all, kept;

void tally_clear(void)
{
	if (!all)
		all = shared_pages(sizeof *all);
	else
		*all = (struct tallies){0};
}

void tally_save(void)
{
	if (all)
		kept = *all;
}

void tally_restore(void)
{
	if (all)
		*all = kept;
}

bool tally_any(void)
{
	return all && all->n;
}

static bool tally_overlaps(const struct tally_entry *t, u64 addr, u64 size)
{
	return t->addr < addr + size && addr < t->addr + t->size;
}

static struct tally_entry *find_tally(u64 addr, u64 size)
{
	u32 n = all ? all->n : 0;

	for (u32 i = 0; i < n; i++)
		if (tally_overlaps(&all->tally[i], addr, size))
			return &all->tally[i];
	return NULL;
}

bool tally_has(u64 addr, u32 size)
{
	const struct tally_entry *t = find_tally(addr, size);

	return t && !t->refused && t->addr == addr && t->size == size;
}

bool tally_is_refused(u64 addr, u32 size)
{
	const struct tally_entry *t = find_tally(addr, size);

	if (t)
		return t->refused || t->addr != addr || t->size != size;
	return !all || all->n == TALLIES;
}

void tally_learn(u64 addr, u32 size)
{
	shared_lock();
	if (!tally_is_refused(addr, size) && !tally_has(addr, size)) {
		all->tally[all->n] = (struct tally_entry){.addr = addr, .size = size};
		all->n++;
	}
	shared_unlock();
}

bool tally_use(u64 addr, u64 size)
{
	bool was = false;

	for (u32 i = 0; i < all->n; i++) {
		struct tally_entry *t = &all->tally[i];

		if (!t->refused && tally_overlaps(t, addr, size))
			t->refused = was = true;
	}
	return was;
}

bool tally_count(u64 addr, u32 size, u32 slot, enum tally_access how, bool single)
{
	struct tally_entry *t = find_tally(addr, size);

	if (!t || t->refused)
		return false;
	if (how == TALLY_PLAIN && !single)
		return false;
	shared_lock();
	t->threads |= 1ull << slot;
	t->stored |= how == TALLY_STORE;
	t->refused = t->addr != addr || t->size != size ||
		     ((t->stored || single) && t->threads & (t->threads - 1));
	shared_unlock();
	return t->refused;
}
