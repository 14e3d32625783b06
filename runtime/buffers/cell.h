/* SPDX-License-Identifier: ISC */
/*
 * cell.h - granules that need more than two words: cells of an execution.
 *
 * For each thread there is a word for its last plain store and one for its last plain load; words
 * of accesses that happened before another one may be dropped. `visible` has the bytes that are
 * visible for the rest of the execution. The granule's word `read` duplicates the load of one of
 * the threads.
 */
#ifndef BUFFERS_CELL_H
#define BUFFERS_CELL_H

#include "buffers/private.h"

/* An atomic variable, or the part of it that is in the granule. */
struct cell_atom {
	u64 write, read; /* words of its last atomic accesses */
	u32 message;	 /* of its value */
	u32 size;
};

#define CELL_WORDS 8 /* of loads, of stores */

struct cell_words {
	u32 n;
	u64 word[CELL_WORDS];
};

struct cell {
	u8 atoms; /* a bit for each first byte */
	u8 only;  /* cell_only() of its only atom, if there is nothing else; else 0 */
	u8 visible;
	bool known;	/* to race (visible.h) */
	bool mixed;	/* atomic accesses overlap, and differ */
	u32 object;	/* message of the synchronisation object that begins here */
	struct cell_atom atom[GRANULE_SIZE]; /* by first byte */
	struct cell_words writes, reads;
};

void cells_begin(void);

/* An atom that begins at byte `first`. */
static inline u8 cell_only(u64 first, u64 size)
{
	return (u8)(first | size << 3);
}

extern struct cell *cells;

/* The word's cell. */
static inline struct cell *cell_of(u64 word)
{
	return &cells[word << (64 - WORD_EXECUTION) >> (64 - WORD_EXECUTION + WORD_THREAD)];
}

/* The cell of a granule whose words are of this execution; made on demand. NULL: no room; then
 * nothing is private any more. */
struct cell *cell_need(struct granule *g);

struct granule *granule_begin(u64 at);

/* Make the words of the granule at `at` those of this execution; NULL: it cannot have any. */
static inline struct granule *granule_now(u64 at)
{
	struct granule *g = granule_of(at);

	return likely(word_is_now(g->write)) ? g : granule_begin(at);
}

#endif
