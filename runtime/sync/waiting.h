/* SPDX-License-Identifier: ISC */
/*
 * waiting.h - who waits for a condition or futex, while execution graphs are explored.
 *
 * Neither has room for it, so that it is kept here, as object/object.h has it. While threads follow
 * a graph the graph knows; this is for the time before there are events, and for a graph's
 * execution that is followed on the store-buffer machine.
 */
#ifndef SYNC_WAITING_H
#define SYNC_WAITING_H

#include "machine/machine.h"

u64 waiting_state(const void *obj);

/* sync_step(); what it does to the state. */
u64 waiting_step(const struct sync_op *op, const void *obj, u64 argument);

/* The same, of a wait that would end by itself some time. */
u64 waiting_step_limited(const struct sync_op *op, const void *obj);

/* It is initialised. */
void waiting_forget(const void *obj);

/* The calling thread may wait, or this cannot be explored in graphs (OBJECT_WAITERS). */
void waiting_check(const char *what);

#endif
