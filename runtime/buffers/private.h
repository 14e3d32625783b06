/* SPDX-License-Identifier: ISC */
/*
 * private.h - plain accesses that happens-before orders: no steps, not buffered, not scheduled.
 *
 * Idea.   If no execution has a race on a location, its stores may reach memory at once, overtaking
 *         what is buffered, and no thread need be scheduled at its accesses: happens-before leaves
 *         a thread only by an operation that empties its buffer, or by a store that leaves it
 *         later. So another thread that comes to access the location would find the same there.
 *         Which locations these are is not known: all are private, until a race shows that one is
 *         not; then it is visible in all later executions (visible.h). The first race of any
 *         execution has a prefix without one, so the races found are those of the program.
 * How.    Each plain access looks at the words of its granule (granule.h). Has the thread itself
 *         accessed these bytes before, since it last passed its clock on? That is one comparison.
 *         Otherwise it compares clocks. Granules with atomic variables, and those where unordered
 *         threads access different bytes, have a *cell*, with words for each byte.
 * Atomic. Memory accessed atomically in an execution is visible from then on; its cell has the
 *         messages of happens.h.
 * Races.  Under --model auto they are findings, as those of execution graphs; else only a reason to
 *         look more closely. Not where a thread may have synchronised unseen: by calls of code
 *         that is not instrumented, or by assembly that was not understood.
 * Also.   A thread that makes many private accesses on end lets others run: it may be waiting for
 *         one of them.
 */
#ifndef BUFFERS_PRIVATE_H
#define BUFFERS_PRIVATE_H

#include "buffers/granule.h"
#include "machine/core.h"

/* Is anything private in this execution, still? */
extern u8 private_on;
/* The same, and accesses need not be recorded. */
extern u8 private_quick;
/* So many until others run. */
extern i32 private_left;
/* Its number, in the place it has in a word. */
extern u64 private_execution;

/* Is the word of this execution? */
static inline bool word_is_now(u64 word)
{
	return !((word ^ private_execution) >> WORD_EXECUTION);
}

/*
 * Is anything to be private in the next execution? If the program makes few plain accesses, it
 * costs more than it saves; then races are looked for in one execution of many.
 */
bool private_pays(void);
void private_pays_begin(void); /* of a search */

/* An execution begins. */
void private_begin(void);
void private_end(void);

/* All memory is visible for the rest of it: a table is full. */
void private_give_up(void);

/* The running thread may have synchronised with any other one. */
void private_unknown(void);

/* The memory is another variable's now. */
void private_forget(u64 addr, u64 size);
/* It is about to be freed. */
void private_free(u64 addr, u64 size);

/* The slow way of the next two. */
bool private_judge(struct thread *t, u64 addr, u64 size, bool write, const u64 *value);

/* Has the thread accessed these bytes before, in its present epoch? */
static inline bool private_again(struct thread *t, u64 addr, u32 size, bool write)
{
	const struct granule *g;
	u64 bytes;

	if (!private_quick || (addr & (GRANULE_SIZE - 1)) + size > GRANULE_SIZE)
		return false;
	g = granule_of(addr);
	bytes = ((1u << size) - 1) << (addr & (GRANULE_SIZE - 1));
	if (!word_has(g->write, t->epoch, bytes) &&
		(write || !word_has(g->read, t->epoch, bytes)))
		return false;
	return --private_left >= 0;
}

/* Is the plain access of the running thread private? It is about to be made. value: of a store
 * of at most 16 bytes. */
static inline bool private_load(struct thread *t, u64 addr, u64 size)
{
	return private_on && private_judge(t, addr, size, false, NULL);
}

static inline bool private_store(struct thread *t, u64 addr, u64 size, const u64 *value)
{
	return private_on && private_judge(t, addr, size, true, value);
}

/* --- private_atomic.c: the running thread's atomic accesses, and operations on objects -------- */

void private_atomic_load(struct thread *t, u64 addr, u32 size, int order);
/* Returns the message that the store carries. */
u32 private_atomic_store(struct thread *t, u64 addr, u32 size, int order, const u64 *value);
/* It reaches memory. */
void private_atomic_commit(u64 addr, u32 size, u32 message);
void private_atomic_rmw(struct thread *t, u64 addr, u32 size, int order);
void private_operate(struct thread *t, const void *obj);

#endif
