/* SPDX-License-Identifier: ISC */
/*
 * region.h - memory of many bytes as one location of an execution graph.
 *
 * Idea.   A *segment* is the part of a thread between two events that are not plain accesses;
 *         within it no new order with other threads arises. So one event can stand for all its
 *         accesses to a block, if these are ordered with those of other threads. A region has three
 *         kinds of events: a plain read at the first access of a segment; a plain write before the
 *         first store, so that races are found before memory changes; and a plain write at the end
 *         of a segment with stores. All other accesses go to memory directly, which has the right
 *         contents: events that happen before the segment have been passed, and no others access
 *         the region.
 * Values. The value of a region is a 64-bit hash of its contents; that of the first write is
 *         undefined, and never read.
 * Size.   A block of the heap, or a range of the program's variables, becomes a region when a
 *         thread makes more than --regions plain accesses to it in a segment. If two accesses to a
 *         region are not ordered, it is cut in half, down to granules (sharing.h), which are
 *         ordinary locations; at that level the pair may be a race. The same happens if its
 *         contents differ from those after the last write: code that is not instrumented has stored
 *         there.
 * Not part of a region are granules with atomic accesses.
 * Reports need each access. So before the first finding is reported, the search begins again
 *         without regions.
 */
#ifndef GRAPH_REGION_H
#define GRAPH_REGION_H

#include "base/base.h"

struct program;

#define REGIONS_OPEN 8

/* A region that a thread has accessed in this segment. */
struct region_use {
	u64 start, end;
	u64 last;	/* the end of its bytes: a block's size need not be a multiple of 8 */
	u32 loc, block; /* block: of the heap, or 0 */
	u8 level;
	bool written;
	bool whole; /* all of its granules belong to it */
};

/* Plain accesses in this segment to memory outside of regions. */
struct region_count {
	u64 start;
	u32 accesses;
};

struct regions {
	struct region_use open[REGIONS_OPEN];
	struct region_count count[REGIONS_OPEN];
	u32 nopen, next; /* next: count to be used again */
	u32 last;	 /* the region used last */
	u32 reads;	 /* accesses since the last store */
	u32 step, loc;	 /* the last event of a write: steps by then, its location */
};

/* From now on, memory that is accessed more often than this becomes a region; 0: none. */
void region_begin(u64 accesses);

/* A thread begins. */
static inline void region_reset(struct regions *r)
{
	*r = (struct regions){.nopen = 0};
}

/* A segment begins. */
static inline void region_next_segment(struct regions *r)
{
	r->nopen = r->last = 0;
	for (u32 i = 0; i < REGIONS_OPEN; i++)
		r->count[i].accesses = 0;
}

/* --- for the running thread ------------------------------------------------------------------ */

/* It accesses n bytes: do they belong to a region that needs no event for this access? */
bool region_has(u64 addr, u64 n, bool writes);

/* It is about to access a byte of a region, in this block of the heap, or 0; afterwards it may
 * access the region directly. */
void region_enter(u64 addr, bool writes, u32 block);

/* It is about to make an event of this granule. */
void region_count(u64 addr);

/* The segment ends, or is cut in two. / A block that begins here is freed. */
void region_leave(void);
void region_forget(u64 start);

/* The last `steps` steps must not contain writes of regions. */
void region_needs_steps(u32 steps);

/* --- for the search -------------------------------------------------------------------------- */

void region_refine(struct program *p, u32 loc);

/* Removes all regions. False: there were none. */
bool region_end_all(void);

#endif
