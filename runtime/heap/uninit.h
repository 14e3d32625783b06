/* SPDX-License-Identifier: ISC */
/*
 * uninit.h - use of heap memory that has not been stored to since it was allocated
 * (--detect=uninit).
 *
 * The compiler pass marks loads that use their value (__heddle_used_load, HEDDLE_USED); a
 * read-modify-write always does. A shadow of the arenas' lower halves has a byte for each byte: 1
 * until it is stored to.
 *
 * On store buffers the shadow corresponds to memory. While a graph is followed, stores that are
 * events do not change it: for a location, it tells whether the *initial* value is valid, and a
 * load that reads an invalid one is a finding of the explorer (trust/trust_heap.c). Accesses that
 * are not events are checked here, as on store buffers.
 *
 * Code that is not instrumented may store unnoticed. Fresh blocks have a pattern, so bytes that
 * differ have been stored; below FRESH_SURE bytes the pattern is not conclusive, and the block also
 * has to be the thread's own, and younger than its last call of such code.
 */
#ifndef HEAP_UNINIT_H
#define HEAP_UNINIT_H

#include "heap/fresh.h"
#include "heap/heap_check.h"

#include <heddle/abi.h>

struct thread;

extern bool uninit_on;

/* Before the first execution: is the detector on? */
void uninit_begin(void);

/* Note a block of the running execution; zero: it has been cleared. */
void uninit_block(const void *p, u64 size, bool zero);

/* n bytes have been stored to; a block's contents have been copied to another one. */
void uninit_stored(u64 addr, u64 n);
void uninit_copied(const void *to, const void *from, u64 n);

static inline void uninit_wrote(u64 addr, u64 n)
{
	if (unlikely(uninit_on) && addr - ARENA_BASE < ARENA_SPAN)
		uninit_stored(addr, n);
}

/* Has none of these bytes, a bit each, been stored to? */
bool uninit_bytes(u64 addr, u32 bytes);

/* Those of the 8 bytes at addr that have not been stored to. */
u8 uninit_fresh(u64 addr);

/*
 * The running thread has loaded a value of watched memory (heap_check.h), or updated it; `order'
 * names the bytes that it uses, as in heddle/abi.def. Fails if none was stored to; for atomic
 * accesses and local variables even without the shadow (--detect=unwritten).
 */
void uninit_value(u64 addr, u32 size, int order, u16 flags, const u64 value[2]);

static inline void uninit_used(u64 addr, u32 size, int order, u16 flags, const u64 value[2])
{
	if (unlikely(access_is_watched(addr)) &&
		(uninit_on || fresh_may(addr, size, value[0])))
		uninit_value(addr, size, order, flags, value);
}

/* The order of an update, which uses the whole value. */
static inline int uninit_all(int order, u32 size)
{
	return (int)((u32)(order & (HEDDLE_VOLATILE | HEDDLE_ASM)) |
		     ((1u << size) - 1) << HEDDLE_USED);
}

/* The running thread calls code that is not instrumented. */
void uninit_foreign(void);

#endif
