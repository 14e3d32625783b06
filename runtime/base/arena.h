/* SPDX-License-Identifier: ISC */
/* arena.h - memory that is freed all at once: a caller's block, taken from the front. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

struct arena {
	u8 *mem;
	size_t size, used;
};

/* n zeroed bytes, 16-byte aligned, or NULL when the block is used up. The block must be zeroed. */
static inline void *arena_take(struct arena *a, size_t n)
{
	size_t at = (a->used + 15) & ~(size_t)15;

	if (at > a->size || n > a->size - at)
		return NULL;
	a->used = at + n;
	return a->mem + at;
}

/* Take n bytes at *at, and advance it to the next cache line. To compute a size, begin with
 * NULL. */
static inline void *arena_carve(u8 **at, size_t n)
{
	void *p = *at;

	*at = (u8 *)((uintptr_t)p + ((n + 63) & ~(size_t)63));
	return p;
}

#endif
