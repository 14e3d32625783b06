/* SPDX-License-Identifier: ISC */
/*
 * again.h - plain accesses that a thread makes again: performed without the engine.
 *
 * An engine that finds an access to be private notes it in its granule's words (granule.h), with
 * the thread's epoch. The same access is private as long as the thread's epoch is that one: loads
 * are performed by the entry stubs (entry.S, AGAIN), stores by __heddle_plain_store() (abi.c).
 */
#ifndef MACHINE_ACCESS_AGAIN_H
#define MACHINE_ACCESS_AGAIN_H

#include "machine/core.h"
#include "machine/access/granule.h"

/* Are accesses performed without the engine? Not while they are recorded. */
extern u8 private_quick;
/* So many until the engine is asked. */
extern i32 private_left;
/* The execution's number, at its position in a word. */
extern u64 private_execution;

/* An execution begins, with no words yet. The words are mapped. */
void private_next_execution(void);

/* The memory now belongs to another variable. */
void private_forget(u64 addr, u64 size);

/* Is the word of this execution? */
static inline bool word_is_now(u64 word)
{
	return !((word ^ private_execution) >> WORD_EXECUTION);
}

/* The first granule from `at` on that may have been accessed in this execution; none: >= end. */
static inline u64 private_next_accessed(u64 at, u64 end)
{
	return granule_next(at, end, private_execution);
}

/* Has the thread accessed these bytes before, in its present epoch? */
static inline bool private_again(struct thread *t, u64 addr, u32 size, bool write)
{
	const struct granule *g;
	u64 bytes;

	if (!private_quick || (addr & (GRANULE_SIZE - 1)) + size > GRANULE_SIZE)
		return false;
	g = granule_of(addr);
	bytes = ((1u << size) - 1) << (addr & (GRANULE_SIZE - 1));
	if (!word_has(g->write, write ? t->store_epoch : t->epoch, bytes) &&
		(write || !word_has(g->read, t->epoch, bytes)))
		return false;
	return --private_left >= 0;
}

#endif
