/* SPDX-License-Identifier: ISC */
/*
 * table.h - hash tables: open addressing with linear probing, over any array of 2^n slots.
 *
 * The array is the caller's, and so is its bound: a slot has to stay free, so that searches end.
 * Only the newest entries can be removed. No allocation, no libc.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/base.h"

/* Where a search begins; tiny: all entries collide, and searches wrap around. */
static inline u32 table_start(u64 hash, u32 slots)
{
	return (u32)(TINY(~(hash & 3), hash) & (slots - 1));
}

/*
 * Set i (u32) to the slot of an entry: the first one from its hash on for which `ends`, an
 * expression of i, holds. This is the entry's own slot, or the free one where it would be added.
 *
 *         TABLE_FIND(i, prng_mix(key), SLOTS, !slot[i].key || slot[i].key == key);
 */
#define TABLE_FIND(i, hash, slots, ends) \
	for ((i) = table_start(hash, slots); !(ends); (i) = ((i) + 1) & ((slots)-1)) \
		;

#endif
