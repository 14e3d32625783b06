/* SPDX-License-Identifier: ISC */
/*
 * fresh.h - memory that has not been stored to yet: blocks from malloc(), local variables.
 *
 * Idea.   It has a pattern, a function of its address; 4 bytes and more of it, found where they
 *         belong, have never been stored to. That needs no shadow, and nothing on the path of a
 *         store. Copies elsewhere do not have it, so padding and unused parts of buffers may be
 *         copied. As a pointer it is one that no processor follows.
 * Stores. Code that is not instrumented replaces it as well.
 */
#ifndef HEAP_FRESH_H
#define HEAP_FRESH_H

#include "base/base.h"

#define FRESH_SURE 4	/* bytes: fewer may have the pattern by chance */
#define FRESH_MAX  4096 /* bytes of a variable: the rest has no pattern */

#define FRESH_STEP  0x9e3779b97f4a7c15ull
#define FRESH_SHIFT 16
#define FRESH_TOP   (0xa5a5ull << 48)

/* That of the aligned word at addr. */
static inline u64 fresh_word(u64 addr)
{
	return addr * FRESH_STEP >> FRESH_SHIFT | FRESH_TOP;
}

static inline u8 fresh_byte(u64 addr)
{
	return (u8)(fresh_word(addr & ~7ull) >> 8 * (addr & 7));
}

/* May so many bytes of the value be that? Has its lower or its upper half of a word the pattern? */
static inline __attribute__((always_inline)) bool fresh_may(u64 addr, u32 size, u64 value)
{
	u64 differs = value ^ fresh_word(addr & ~7ull) >> 8 * (addr & 7);

	return size >= FRESH_SURE && (!(u32)differs || (size > 4 && !(differs >> 32)));
}

void fresh_fill(u64 addr, u64 n);

/* Have these bytes of the value, a bit each, the pattern of memory at addr? */
bool fresh_has(u64 addr, const u64 value[2], u32 bytes);

#endif
