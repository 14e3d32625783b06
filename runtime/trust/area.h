/* SPDX-License-Identifier: ISC */
/*
 * area.h - memory allocated and freed in the order of a stack, for saved graphs.
 *
 * Memory in use must have been taken, so that a callee's memory lies behind it.
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

/* Take n more bytes, which must be available; their contents are unspecified. */
void *area_take(struct area *a, size_t n);

/* Give back the n bytes that were taken last. Check builds (make TINY=1) overwrite them. */
void area_give(struct area *a, void *at, size_t n);

/* Reserve n bytes for the lifetime of the area, which shrinks; nothing has been taken yet. */
void *area_cut(struct area *a, size_t n);

#endif
