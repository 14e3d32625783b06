/* SPDX-License-Identifier: ISC */
/*
 * fresh.h - memory that has not been stored to yet: blocks from malloc(), local variables.
 *
 * Idea.   It is filled with a pattern, a function of its address; 4 or more bytes that still have
 *         the pattern of their address have never been stored to. This needs no shadow, and no work
 *         on the path of a store. A copy elsewhere does not match, so padding and unused parts of
 *         buffers may be copied. As a pointer, the pattern is an invalid address.
 * Stores. Code that is not instrumented replaces the pattern as well.
 */
#ifndef HEAP_FRESH_H
#define HEAP_FRESH_H

#include "base/base.h"

#define FRESH_SURE 4	/* bytes: fewer may have the pattern by chance */
#define FRESH_MAX  4096 /* bytes of a variable: the rest is not filled */

#define FRESH_STEP  0x9e3779b97f4a7c15ull
#define FRESH_SHIFT 16
#define FRESH_TOP   (0xa5a5ull << 48)

/* The pattern of the aligned word at addr. */
static inline u64 fresh_word(u64 addr)
{
	return addr * FRESH_STEP >> FRESH_SHIFT | FRESH_TOP;
}

static inline u8 fresh_byte(u64 addr)
{
	return (u8)(fresh_word(addr & ~7ull) >> 8 * (addr & 7));
}

/* Can so many bytes of the value be the pattern: the lower or the upper half of a word? */
static inline __attribute__((always_inline)) bool fresh_may(u64 addr, u32 size, u64 value)
{
	u64 differs = value ^ fresh_word(addr & ~7ull) >> 8 * (addr & 7);

	return size >= FRESH_SURE && (!(u32)differs || (size > 4 && !(differs >> 32)));
}

void fresh_fill(u64 addr, u64 n);

/* Do these bytes of the value, a bit each, have the pattern of memory at addr? */
bool fresh_has(u64 addr, const u64 value[2], u32 bytes);

#endif
