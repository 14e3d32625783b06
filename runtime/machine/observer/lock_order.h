/* SPDX-License-Identifier: ISC */
/*
 * lock_order.h - --detect=lock-order: has an execution taken locks in orders that could deadlock?
 *
 * As defined by detect/lock_graph.h. The operations come from the store-buffer machine while it
 * runs, from a graph that is complete, or from the recorder.
 */
#ifndef MACHINE_OBSERVER_LOCK_ORDER_H
#define MACHINE_OBSERVER_LOCK_ORDER_H

#include "detect/stuck.h"

struct cache;
struct graph;

/* Before each execution on store buffers. */
void lock_order_begin(void);

/* The running thread has taken or released a lock, created or joined a thread. */
void lock_order_note(enum event_kind kind, const void *obj, u64 argument, u64 result);

/* Could its order of locks deadlock: on store buffers; in a graph? *f: the finding, without
 * steps. */
bool lock_order_fails(struct finding *f);
bool lock_order_fails_graph(const struct graph *g, const struct cache *c, struct finding *f);

/* The cycle in the recorded execution: each thread holds the lock that its predecessor wants.
 * Returns the number of threads, 0: none. */
u32 lock_order_waits(struct wait *w);

#endif
