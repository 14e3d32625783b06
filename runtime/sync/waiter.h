/* SPDX-License-Identifier: ISC */
/*
 * waiter.h - threads that wait until another one wakes them: on a condition, a futex, a barrier.
 *
 * A waiter lies on the stack of its thread while it waits. All are in one list, in the order in
 * which they began to wait; the list is short, so it is simply searched.
 */
#ifndef SYNC_WAITER_H
#define SYNC_WAITER_H

#include "machine/machine.h"

#define WAITER_ANY 0xffffffffu /* bits: any; FUTEX_BITSET_MATCH_ANY */

struct waiter {
	const void *obj;
	const void *lock; /* condition: the mutex it wants back; else NULL */
	const struct thread *thread;
	u32 bits;	  /* futex: woken by these only; else WAITER_ANY */
	bool woken;
	bool serial;	  /* barrier, in a graph: it is the serial thread of its round */
	struct waiter *next;
};

/* The calling thread begins to wait. */
void waiter_begin(struct waiter *w, const void *obj, const void *lock, u32 bits);

/* It waits no longer: it was woken, or its time is over. */
void waiter_end(struct waiter *w);

/* The record of thread t; it must have one. */
struct waiter *waiter_of(const struct thread *t);

/* The number of threads that wait for obj and are not woken yet. */
u32 waiters_count(const void *obj, u32 bits);

/* Wake up to n of them, chosen by the strategy. Returns their number. */
u32 waiters_wake(const void *obj, u32 bits, u32 n);

/* The waiter for obj, not woken yet, whose thread has the lowest slot. */
struct waiter *waiters_lowest(const void *obj);

/* Does a thread wait for obj with another mutex than this? */
bool waiters_other_lock(const void *obj, const void *lock);

/* The mutex has become free: woken waiters that want it back may be ready. */
void waiters_lock_changed(const void *lock);

#endif
