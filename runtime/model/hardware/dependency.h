/* SPDX-License-Identifier: ISC */
/*
 * dependency.h - the events of its own thread that an event depends on: by its address, by the
 * value that it writes, by branches before it, and, a write, by instructions that pick its address
 * or value from several (conditional moves).
 *
 * A *record* has these sets of an event; equal ones have one number. 0 is that of the event without
 * any. An element is the index of an event in the thread, marks not counted. A branch counts for
 * all later events; so the third set has only those elements that no earlier event of the thread
 * has in it.
 */
#ifndef MODEL_HARDWARE_DEPENDENCY_H
#define MODEL_HARDWARE_DEPENDENCY_H

#include "base/base.h"

#define DEPENDENCY_RECORDS 0xffff
#define DEPENDENCY_WORDS   (1 << 20)
#define DEPENDENCY_BUCKETS (1 << 12)

enum dependency { BY_ADDRESS, BY_DATA, BY_CONTROL, BY_PICK, DEPENDENCY_KINDS };

struct dependency_table {
	u32 n;				/* records, the empty one included, if any */
	u32 used;			/* words */
	u32 first[DEPENDENCY_RECORDS];	/* of a record: the sizes, then the sets */
	u32 next[DEPENDENCY_RECORDS];	/* of the bucket; 0: none */
	u32 bucket[DEPENDENCY_BUCKETS];
	u16 word[DEPENDENCY_WORDS];
};

/* Remove all records. */
void dependency_clear(struct dependency_table *table);

/* The number of the record with these sets of size[kind] elements; 0: all are empty, or there is no
 * room (then table->n is DEPENDENCY_RECORDS). */
u32 dependency_intern(struct dependency_table *table, const u16 *const set[DEPENDENCY_KINDS],
	const u16 size[DEPENDENCY_KINDS]);

/* Does that set of the record have this element? */
bool dependency_has(
	const struct dependency_table *table, u32 record, enum dependency kind, u32 element);

#endif
