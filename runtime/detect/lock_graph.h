/* SPDX-License-Identifier: ISC */
/*
 * lock_graph.h - locks taken in opposite orders: a deadlock that may be possible though none was
 * met.
 *
 * An *edge* is a thread that takes a lock while it holds another. Edges of different threads, each
 * of which wants what the next one holds, are a circle: run at the same time they would be a
 * deadlock. It is none if two of them hold a common lock (only one at a time gets there), if what
 * is wanted and what is held are both for reading, or if threads' starts and joins put one after
 * the other.  Havelund, SPIN 2000 ("GoodLock"); Bensalem and Havelund, PADTAD 2005, for the last
 *             two. Nothing else is known to keep the threads apart: a
 * circle is a reason to look, not a proof.
 *
 *     lock_graph_begin(&o);
 *     lock_graph_takes(&o, ...); lock_graph_frees(&o, ...); ...      in any order that keeps each
 *     thread's
 *     n = lock_graph_cycle(&o, edges);                         and starts before what they start
 *
 * Numbers of threads are below ORDER_THREADS, or those of the thread are not looked at.
 */
#ifndef DETECT_LOCK_GRAPH_H
#define DETECT_LOCK_GRAPH_H

#include "base/base.h"

#define ORDER_THREADS 64
#define ORDER_HELD    8	  /* locks that a thread holds at once; more are not looked at */
#define ORDER_EDGES   512
#define LOCK_GRAPH_CYCLE  8	  /* threads in a circle, at most */

struct held_lock {
	u64 lock;
	u32 step; /* where it was taken, as the caller counts */
	bool reading;
};

struct lock_edge {
	u32 thread;
	u32 nheld;
	struct held_lock held[ORDER_HELD]; /* when it took `wanted` */
	struct held_lock wanted;
	u16 clock[ORDER_THREADS]; /* of starts and joins */
};

struct lock_graph_thread {
	u32 nheld;
	struct held_lock held[ORDER_HELD];
	u16 clock[ORDER_THREADS];
};

struct lock_graph {
	u32 nedges;
	bool full; /* edges have been left out */
	struct lock_graph_thread thread[ORDER_THREADS];
	struct lock_edge edge[ORDER_EDGES];
};

void lock_graph_begin(struct lock_graph *o);

/* The thread has the lock from here on. waits: it would have waited for it; else it only tried. */
void lock_graph_takes(
	struct lock_graph *o, u32 thread, u64 lock, u32 step, bool reading, bool waits);
void lock_graph_frees(struct lock_graph *o, u32 thread, u64 lock);

void lock_graph_creates(struct lock_graph *o, u32 thread, u32 child);
void lock_graph_joins(struct lock_graph *o, u32 thread, u32 child);

/* The edges of a shortest circle, each wants what the next one (of the last: the first) holds. 0:
 * there is none. */
u32 lock_graph_cycle(const struct lock_graph *o, const struct lock_edge *circle[LOCK_GRAPH_CYCLE]);

#endif
