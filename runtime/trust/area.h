/* SPDX-License-Identifier: ISC */
/*
 * area.h - memory that is taken and given back in the order of a stack, for saved graphs.
 *
 * Whatever is kept there has been taken: what a callee takes lies behind it.
 */
#ifndef TRUST_AREA_H
#define TRUST_AREA_H

#include "base/base.h"

#define AREA_ALIGN 64

struct area {
	u8 *memory;
	size_t size, used; /* multiples of AREA_ALIGN */
};

/* Everything is given back. */
static inline void area_clear(struct area *a)
{
	a->used = 0;
}

/* Are there n more bytes? */
static inline bool area_has(const struct area *a, size_t n)
{
	return n <= a->size - a->used;
}

/* n more bytes, which have to be there; what they contain is not specified. */
void *area_take(struct area *a, size_t n);

/* The n bytes that were taken last and not given back yet. Check builds (make TINY=1) overwrite
 * them. */
void area_give(struct area *a, void *at, size_t n);

/* n bytes for as long as the area is used, which becomes smaller; nothing has been taken from
 * them. */
void *area_cut(struct area *a, size_t n);

#endif
