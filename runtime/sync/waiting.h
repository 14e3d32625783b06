/* SPDX-License-Identifier: ISC */
/*
 * waiting.h - the waiters of a condition or futex, while execution graphs are explored.
 *
 * Neither has room for them, so they are kept here, in the form of object/object.h. While threads
 * follow a graph, the graph has them; this is for the time before the first event, and for a
 * graph's execution on the store-buffer machine.
 */
#ifndef SYNC_WAITING_H
#define SYNC_WAITING_H

#include "machine/machine.h"

u64 waiting_state(const void *obj);

/* sync_step(); what it does to the state. */
u64 waiting_step(const struct sync_op *op, const void *obj, u64 argument);

/* The same, for a timed wait. */
u64 waiting_step_limited(const struct sync_op *op, const void *obj);

/* It is initialised. */
void waiting_forget(const void *obj);

/* The calling thread may wait, or this cannot be explored in graphs (OBJECT_WAITERS). */
void waiting_check(const char *what);

#endif
