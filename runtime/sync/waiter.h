/* SPDX-License-Identifier: ISC */
/*
 * waiter.h - threads that wait at a barrier.
 *
 * A waiter lies on the stack of its thread while it waits. All are in one list, in the order in
 * which they began to wait; the list is short, so it is simply searched.
 */
#ifndef SYNC_WAITER_H
#define SYNC_WAITER_H

#include "machine/machine.h"

struct waiter {
	const void *obj;
	const struct thread *thread;
	bool woken;
	bool serial; /* in a graph: it is the serial thread of its round */
	struct waiter *next;
};

/* The calling thread begins to wait; it does no longer. */
void waiter_begin(struct waiter *w, const void *obj);
void waiter_end(struct waiter *w);

/* The record of thread t; it must have one. */
struct waiter *waiter_of(const struct thread *t);

/* Wake all of them. */
void waiters_wake(const void *obj);

/* The waiter for obj, not woken yet, whose thread has the lowest slot. */
struct waiter *waiters_lowest(const void *obj);

#endif
