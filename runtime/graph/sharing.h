/* SPDX-License-Identifier: ISC */
/*
 * sharing.h - decides which accesses are events of an execution graph, and their locations.
 *
 * Idea.   Plain accesses to memory that only one thread has ever accessed are unobservable, and not
 *         events; all others are events, of locations: ranges of bytes that are always accessed as
 *         a whole (place.h). Both facts are discovered while the program runs: if an access shows
 *         that memory is shared, or that a location has to be cut (or joined, for an atomic
 *         access), the answer is EXTENT_CHANGED, and the exploration begins again. The facts are
 *         kept, so this happens a few times at the beginning. Where atomic accesses of different
 *         sizes overlap, the location stays cut, and the larger access is one of several locations
 *         (place.h). Memory that is accessed often between two other events of a thread becomes one
 *         location, a region (region.h), as long as its accesses are ordered. The level of its
 *         granules determines its size.
 * State.  Granules of 8 bytes; a location lies in one granule, except for atomic ones of 16 bytes.
 *         For a page used by one thread, only that thread is kept.
 */
#ifndef GRAPH_SHARING_H
#define GRAPH_SHARING_H

#include "base/base.h"

enum sharing {
	EXTENT_PRIVATE, /* no event */
	EXTENT_SHARED,
	EXTENT_REGION, /* part of a region: region.h */
	EXTENT_CHANGED, /* the exploration begins again */
	EXTENT_MIXED,	/* an unaligned atomic access: cannot be represented */
	EXTENT_FULL,	/* too much memory to keep track of */
};

/* The location of a shared byte. */
struct sharing_location {
	u64 addr;
	u32 size;
	bool atomic;
};

/* Thread `slot` accesses this. Plain accesses must lie in one granule. *at: the location of its
 * first byte, if it is EXTENT_SHARED. */
enum sharing sharing_plain(u32 slot, u64 addr, u32 size);
enum sharing sharing_atomic(u32 slot, u64 addr, u32 size, struct sharing_location *at);

/* Code that is not instrumented, called by the thread, has written to the aligned word. *used: its
 * bytes that belong to locations, a bit each, if it is EXTENT_SHARED. */
enum sharing sharing_foreign(u32 slot, u64 word, u8 *used);

/* The location of addr, after EXTENT_SHARED. */
struct sharing_location sharing_location(u64 addr);

/* The ranges of locations known to all processes (place.h). */
struct sharing_ranges {
	bool mixed; /* ranges exist, */
	bool contended; /* and RMWs of different ranges overlap */
};
struct sharing_ranges sharing_ranges(void);
void sharing_learn_ranges(bool mixed, bool contended);

/*
 * The level of the granule of addr: SHARING_FINE, never part of a region; 0, none so far. / The
 * granules between two addresses that some thread has accessed, and that have level `from`, get
 * level `to`. Are there any?
 */
#define SHARING_FINE 0xff
u8 sharing_level(u64 addr);
u64 sharing_same_level(u64 addr, u64 end); /* how far the granules have the level of the first */
bool sharing_set_level(u64 start, u64 end, u8 from, u8 to);

u16 sharing_level_changes(void); /* their number so far */

/* Is there any region? / Remove them for the rest of the search. */
bool sharing_has_regions(void);
void sharing_end_regions(void);

/* The end of the last shared granule between two addresses; 0: there is none. */
u64 sharing_last(u64 low, u64 high);

/* Drop everything for a new exploration, perhaps of other code. */
void sharing_clear(void);

/* Drop everything but what is shared, and how it is cut into locations. */
void sharing_keep_shared(void);

/* Keep track of the page's granules from the first access on (foresee.h), unless too many are. */
void sharing_watch(u64 addr);

/* Drop the facts learnt since sharing_save(): trial executions must not cause a restart. One at a
 * time. */
void sharing_save(void);
void sharing_restore(void);

#endif
