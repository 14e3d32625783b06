/* SPDX-License-Identifier: ISC */
/*
 * heap_reuse.c - freed blocks that malloc() gives out again (--reuse).
 *
 * Like the per-thread caches of allocators: a thread gets a block that it has freed itself, of
 * exactly the same size. So the result depends on its own history, like all its behaviour. With
 * `choose` it is a choice of the exploration: a new block, or one of those freed last. The contents
 * of the block stay, as with any allocator.
 */
#include "machine/core.h"
#include "heap/heap_priv.h"

#define KEPT  8 /* blocks a thread, the last ones freed */
#define OFFER 3 /* the number to choose from */

static struct kept_blocks {
	u64 era; /* the execution that this belongs to */
	u32 n;
	struct {
		u64 start, size;
	} block[KEPT]; /* in the order of freeing */
} kept[THREADS_MAX];

static u64 era;

static struct kept_blocks *kept_by(u32 slot)
{
	struct kept_blocks *k = &kept[slot];

	if (k->era != era) {
		k->era = era;
		k->n = 0;
	}
	return k;
}

void reuse_reset(void)
{
	era++;
}

static void drop_block(struct kept_blocks *k, u32 i)
{
	for (k->n--; i < k->n; i++)
		k->block[i] = k->block[i + 1];
}

void reuse_keep(u32 slot, const void *p, u64 size)
{
	struct kept_blocks *k;

	if (likely(M.options->reuse == REUSE_NEVER))
		return;
	k = kept_by(slot);
	if (k->n == KEPT)
		drop_block(k, 0);
	k->block[k->n].start = (u64)(uintptr_t)p;
	k->block[k->n++].size = size;
}

void *reuse_take(u32 slot, u64 size, u64 alignment)
{
	struct kept_blocks *k;
	u32 fit[OFFER], n = 0, c;
	u64 start;

	if (likely(M.options->reuse == REUSE_NEVER))
		return NULL;
	k = kept_by(slot);
	for (u32 i = k->n; i-- && n < OFFER;)
		if (k->block[i].size == size && k->block[i].start % alignment == 0)
			fit[n++] = i;
	c = n && M.options->reuse == REUSE_CHOOSE ? machine_choose(n + 1, CHOICE_USER) : n != 0;
	if (!c)
		return NULL;
	start = k->block[fit[c - 1]].start;
	drop_block(k, fit[c - 1]);
	return (void *)(uintptr_t)start;
}
