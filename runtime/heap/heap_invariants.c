/* SPDX-License-Identifier: ISC */
/*
 * heap_invariants.c - the blocks of an execution (make TINY=1), as a second list, which the program
 * cannot overwrite: they are disjoint, and the arenas find the same block for each address.
 *
 * A block whose header the program has overwritten is unknown here, as to the arenas.
 */
#include "machine/invariants.h"
#include "machine/core.h"
#include "heap/heap_priv.h"
#include "process/pages.h"

#define HALF	 (ARENA_SIZE / 2)
#define LISTED	 (1u << 15) /* blocks of half an arena; of more, none is checked */
#define AROUND	 16	    /* bytes: the header before a block, the minimum behind it */

struct listed_block {
	u64 start, size;
	bool freed;
};

static struct block_list {
	struct listed_block *block; /* [LISTED], by address */
	u32 n;
} lists[THREADS_MAX][2];

static struct block_list *list_of(u64 addr)
{
	u64 at = addr - ARENA_BASE;

	return &lists[at / ARENA_SIZE][at / HALF % 2];
}

static u64 guarded_end(const struct listed_block *b)
{
	return b->start + (b->size + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT * HEAP_ALIGNMENT + AROUND;
}

static bool is_checked(const struct block_list *l)
{
	return l->block && l->n < LISTED;
}

/* The block that contains addr, including its header and redzone; NULL: none. */
static struct listed_block *find_known(const struct block_list *l, u64 addr)
{
	u32 low = 0, high = l->n;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (guarded_end(&l->block[middle]) <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->n && addr >= l->block[low].start - AROUND ? &l->block[low] : NULL;
}

void blocks_check_new(unsigned thread, const void *p, u64 size)
{
	u64 start = (u64)(uintptr_t)p;
	struct block_list *l = list_of(start);
	struct listed_block new = {.start = start, .size = size};

	if (!l->block)
		l->block = pages_take(LISTED * sizeof *l->block);
	if (!is_checked(l))
		return;
	BUG_ON((start - ARENA_BASE) / ARENA_SIZE != thread || start % HEAP_ALIGNMENT);
	BUG_ON((guarded_end(&new) - 1 - ARENA_BASE) / HALF != (start - ARENA_BASE) / HALF);
	BUG_ON(l->n && start - AROUND < guarded_end(&l->block[l->n - 1]));
	l->block[l->n++] = new;
}

static struct listed_block *is_known_block(const void *p)
{
	struct block_list *l = list_of((u64)(uintptr_t)p);
	struct listed_block *b;

	if (!is_checked(l))
		return NULL;
	b = find_known(l, (u64)(uintptr_t)p);
	BUG_ON(!b || b->start != (u64)(uintptr_t)p);
	return b;
}

void blocks_check_freed(const void *p)
{
	struct listed_block *b = is_known_block(p);

	if (b)
		b->freed = true;
}

void blocks_check_again(const void *p, unsigned thread)
{
	struct listed_block *b = is_known_block(p);

	BUG_ON(b && !b->freed);
	if (b)
		b->freed = false;
}

void blocks_check_view(u64 addr, const struct arena_view *v)
{
	const struct block_list *l = list_of(addr);
	const struct listed_block *b;
	size_t size;

	if (!is_checked(l))
		return;
	b = find_known(l, addr);
	if (!b || !v) {
		BUG_ON(v || (b && arena_check((void *)(uintptr_t)b->start, &size) <= ARENA_FREED));
		return;
	}
	BUG_ON(v->start != b->start);
	if (arena_check((void *)(uintptr_t)b->start, &size) <= ARENA_FREED)
		BUG_ON(v->size != b->size || v->freed != b->freed);
}

/* Compare the arenas with each block. */
static void check_list(const struct block_list *l)
{
	for (u32 i = 0; i < l->n; i++) {
		const struct listed_block *b = &l->block[i];
		size_t size = 0;

		switch (arena_check((void *)(uintptr_t)b->start, &size)) {
		case ARENA_OK:
		case ARENA_FREED:
			BUG_ON(size != b->size);
			BUG_ON(b->freed !=
				(arena_check((void *)(uintptr_t)b->start, &size) == ARENA_FREED));
			break;
		case ARENA_BROKEN:
			return;
		case ARENA_INSIDE:
			BUG_ON(true);
		}
	}
}

void blocks_check_end(void)
{
	for (u32 t = 0; t < M.slots; t++)
		for (u32 half = 0; half < 2; half++) {
			if (is_checked(&lists[t][half]))
				check_list(&lists[t][half]);
			lists[t][half].n = 0;
		}
}
