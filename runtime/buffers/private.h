/* SPDX-License-Identifier: ISC */
/*
 * private.h - plain accesses that happens-before orders: not steps, not buffered, not scheduled.
 *
 * Idea.   If no execution has a race on a location, its stores may reach memory at once, ahead of
 *         buffered ones, and no thread need be scheduled at its accesses: a thread passes
 *         happens-before on only by an operation that empties its buffer, or by a store that leaves
 *         the buffer later. So another thread that accesses the location afterwards finds the same
 *         value. These locations are not known in advance: all are private, until a race shows that
 *         one is not; then it is visible in all later executions (visible.h). The first race of an
 *         execution has a prefix without races, so the races found are those of the program.
 * How.    Each plain access checks the words of its granule (granule.h). Has the thread itself
 *         accessed these bytes since it last passed its clock on? That is one comparison. Otherwise
 *         it compares clocks. Granules with atomic variables, and those where unordered threads
 *         access different bytes, have a *cell*, with words for each byte.
 * Atomic. Memory accessed atomically in an execution is visible from then on; its cell has the
 *         messages of happens.h.
 * Races.  Under --model auto they are findings, like those of execution graphs; else they only make
 *         memory visible. No findings where a thread may have synchronised unnoticed: by calls of
 *         code that is not instrumented, or by assembly that was not recognised.
 * Also.   A thread that makes many private accesses in a row lets others run: it may be waiting for
 *         one of them.
 */
#ifndef BUFFERS_PRIVATE_H
#define BUFFERS_PRIVATE_H

#include "machine/access/again.h"

/* Is any memory still private in this execution? */
extern u8 private_on;

/*
 * Use private memory in the next execution? If the program makes few plain accesses, it costs more
 * than it saves; then only one execution of many searches for races.
 */
bool private_pays(void);
void private_pays_begin(void); /* of a search */
void private_pays_again(void); /* of a later part of it, which does not depend on earlier ones */

/* The figures that this depends on; restored after executions outside of the search. */
struct private_figures {
	u64 asked, executions, accesses, steps;
};
struct private_figures private_figures(void);
void private_put_back(const struct private_figures *f);

/* An execution begins. */
void private_begin(void);
void private_end(void);

/* All memory is visible for the rest of it: a table is full. */
void private_give_up(void);

/* It is about to be freed. */
void private_free(u64 addr, u64 size);

/* The slow path of the next two. */
bool private_judge(struct thread *t, u64 addr, u64 size, bool write, const u64 *value);

/* Is the imminent plain access of the running thread private? value: of a store of at most 16
 * bytes. */
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
/* The store reaches memory. */
void private_atomic_commit(u64 addr, u32 size, u32 message);
void private_atomic_rmw(struct thread *t, u64 addr, u32 size, int order);
/* ok: it has updated memory. orders: as in heddle/abi.h. */
void private_atomic_cas(struct thread *t, u64 addr, u32 size, int orders, bool ok);
void private_operate(struct thread *t, const void *obj);

#endif
