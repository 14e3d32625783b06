/* SPDX-License-Identifier: ISC */
/*
 * state_table.h - states of objects that are larger than 64 bits, as numbers.
 *
 * A state is a string of bytes; its number is a hash of them, so that it means the same in all
 * workers, in a replay and after any history of the search. The table is in memory shared by all
 * workers. States are never removed, and the table does not grow beyond STATE_TABLE_SIZE. Several
 * processes may add states at the same time, without a lock; one that is killed meanwhile leaves
 * unused bytes at most.
 */
#ifndef OBJECT_STATE_TABLE_H
#define OBJECT_STATE_TABLE_H

#include "base/base.h"

#define STATE_TABLE_SIZE ((size_t)TINY(8, 64) << 20)

/* The first bits of a number; states that are not numbers begin otherwise. */
#define STATE_NUMBER (15ull << 60)

static inline bool state_is_number(u64 state)
{
	return state >= STATE_NUMBER && state != UINT64_MAX;
}

/* Use this memory of STATE_TABLE_SIZE bytes: zero, or the table of the parent process. NULL: no
 * table, which counts as full. */
void state_table_begin(void *memory);

/* Is half of it used? Then the search has to end soon. */
bool state_table_is_full(void);

extern const char state_table_limit[]; /* the same in words */

/* Is any state in it? */
bool state_table_used(void);

/* The number of a state; unused bytes must be zero. UINT64_MAX: there is no table, as
 * state_table_is_full() tells before; a damaged file may still ask for one. */
u64 state_intern(const void *bytes, u32 size);

/* The state of this number and its size, or NULL: there is none. */
const void *state_of(u64 number, u32 *size);

#endif
