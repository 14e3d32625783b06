/* SPDX-License-Identifier: ISC */
/* area.c - see area.h. */
#include "trust/area.h"

static size_t round_to_area(size_t n)
{
	return (n + AREA_ALIGN - 1) & ~(size_t)(AREA_ALIGN - 1);
}

void *area_take(struct area *a, size_t n)
{
	u8 *at = a->memory + a->used;

	BUG_ON(!area_has(a, round_to_area(n)));
	a->used += round_to_area(n);
	return at;
}

void area_give(struct area *a, void *at, size_t n)
{
	BUG_ON((u8 *)at + round_to_area(n) != a->memory + a->used);
	a->used -= round_to_area(n);
	INVARIANT(__builtin_memset(at, 0xdb, round_to_area(n)));
}

void *area_cut(struct area *a, size_t n)
{
	BUG_ON(!area_has(a, round_to_area(n)));
	a->size -= round_to_area(n);
	return a->memory + a->size;
}
