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
 * events do not change it: so it shows for a location whether its *initial* value is valid, and a
 * load that reads an invalid one is a finding of the explorer (trust/trust_heap.c). Accesses that
 * are no events are checked here, as on store buffers.
 *
 * Code that is not instrumented may store unnoticed. Fresh blocks have a pattern, so bytes that
 * differ have been stored; for fewer than UNINIT_SURE bytes that is not enough, and the block also
 * has to be the thread's own, and younger than its last call of such code.
 */
#ifndef HEAP_UNINIT_H
#define HEAP_UNINIT_H

#include "heap/heap.h"

#define UNINIT_SURE 4

struct thread;

extern bool uninit_on;

/* Before the first execution: is the detector on? */
void uninit_begin(void);

/* A block of the running execution; zero: it has been cleared. */
void uninit_block(const void *p, u64 size, bool zero);

/* n bytes have been stored to; a block's contents have been copied to another one. */
void uninit_stored(u64 addr, u64 n);
void uninit_copied(const void *to, const void *from, u64 n);

static inline void uninit_wrote(u64 addr, u64 n)
{
	if (unlikely(uninit_on) && addr - ARENA_BASE < ARENA_SPAN)
		uninit_stored(addr, n);
}

/* Do these bytes, a bit each, have the pattern of fresh blocks? */
bool uninit_is_pattern(const u64 value[2], u32 bytes);

/* Is none of these bytes, a bit each, stored to? */
bool uninit_bytes(u64 addr, u32 bytes);

/* Those of the 8 bytes at addr that are not stored to. */
u8 uninit_fresh(u64 addr);

/* The running thread has loaded a value and uses these bytes: fails if none was stored to. */
void uninit_loaded(u64 addr, u32 size, u32 bytes, const u64 value[2]);

static inline void uninit_used(u64 addr, u32 size, u32 bytes, const u64 value[2])
{
	if (unlikely(uninit_on) && bytes && addr - ARENA_BASE < ARENA_SPAN)
		uninit_loaded(addr, size, bytes, value);
}

/* The running thread calls code that is not instrumented. */
void uninit_foreign(void);

#endif
