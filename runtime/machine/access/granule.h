/* SPDX-License-Identifier: ISC */
/*
 * granule.h - for each 8 bytes of the program's memory, its last plain accesses: two words.
 *
 * A word has the thread that accessed the bytes, the kind of access, and its time:
 *
 *     execution:20 | clock:24 | thread:9 | kind:3 | bytes:8
 *
 * Words of other executions are ignored, so nothing is reset between executions. The words of 16
 * MiB of memory are adjacent; a directory has the position of each 16 MiB, which is a common area
 * of zeros, never written, until an access is noted there. For each 4 KiB there is the last
 * execution that noted an access, so that freeing a large block visits few words.
 */
#ifndef MACHINE_ACCESS_GRANULE_H
#define MACHINE_ACCESS_GRANULE_H

#include "arch/arch.h"

#define GRANULE_SIZE	  8
#define GRANULE_DIRECTORY 0x310000000000u
#define GRANULE_WORDS	  0x320000000000u
#define GRANULE_PAGES	  0x328000000000u
#define GRANULE_CHUNK	  24 /* bits of an address within 16 MiB */
#define GRANULE_PAGE	  12 /* bits of an address within a page */
#define GRANULE_ADDRESSES ARCH_ADDRESSES

#define WORD_BYTES	  0xffull
#define WORD_KIND	  (7ull << 8)
#define WORD_CELL	  (1ull << 8) /* in `write`: clock and thread are the index of a cell */
#define WORD_VISIBLE	  (2ull << 8) /* in `write`: accesses are visible (private.h) */
#define WORD_THREAD	  11
#define WORD_CLOCK	  20
#define WORD_EXECUTION	  44
#define WORD_CLOCK_MAX	  ((1u << (WORD_EXECUTION - WORD_CLOCK)) - 1)
#define WORD_EXECUTIONS	  (1u << (64 - WORD_EXECUTION))

struct granule {
	u64 write, read;
};

/* Reserve memory for the words, once; false: it is not available, or limited (ulimit -v). */
bool granules_map(void);

/* Clear all of them: execution numbers start again. */
void granules_clear(void);

/* The same as granule_of(), for writing; NULL: the memory for words is used up. */
struct granule *granule_need(u64 addr);

static inline struct granule *granule_of(u64 addr)
{
	const u64 *directory = (const u64 *)GRANULE_DIRECTORY;
	u64 chunk = addr >> GRANULE_CHUNK & ((1u << (GRANULE_ADDRESSES - GRANULE_CHUNK)) - 1);
	u64 at = (addr & ((1u << GRANULE_CHUNK) - GRANULE_SIZE)) * 2;

	return (struct granule *)(GRANULE_WORDS + directory[chunk] + at);
}

/* The execution of the last access to the page of this address, as in a word. */
static inline u64 *granule_page(u64 addr)
{
	const u64 *directory = (const u64 *)GRANULE_DIRECTORY;
	u64 chunk = addr >> GRANULE_CHUNK & ((1u << (GRANULE_ADDRESSES - GRANULE_CHUNK)) - 1);
	u64 at = (addr & ((1u << GRANULE_CHUNK) - 1)) >> GRANULE_PAGE << 3;

	return (u64 *)(GRANULE_PAGES + (directory[chunk] >> (GRANULE_PAGE - 2)) + at);
}

/* The first granule in [at, end) in a page that was accessed in this execution; none: >= end. */
static inline u64 granule_next(u64 at, u64 end, u64 execution)
{
	while (at < end && *granule_page(at) != execution)
		at = (at | ((1u << GRANULE_PAGE) - 1)) + 1;
	return at;
}

/* The bytes of [addr, addr + size) in the granule at `at`, a bit each. */
static inline u64 granule_bytes(u64 at, u64 addr, u64 size)
{
	u64 from = addr > at ? addr - at : 0;
	u64 end = addr + size - at < GRANULE_SIZE ? addr + size - at : GRANULE_SIZE;

	return (1u << end) - (1u << from);
}

static inline u32 word_thread(u64 word)
{
	return word >> WORD_THREAD & ((1u << (WORD_CLOCK - WORD_THREAD)) - 1);
}

static inline u32 word_clock(u64 word)
{
	return word >> WORD_CLOCK & WORD_CLOCK_MAX;
}

/* Does the word contain these bytes, and is it otherwise this epoch (which has all bytes)? */
static inline bool word_has(u64 word, u64 epoch, u64 bytes)
{
	return !((word ^ epoch) & (~WORD_BYTES | bytes));
}

#endif
