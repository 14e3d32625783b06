/* SPDX-License-Identifier: ISC */
/*
 * lock_graph.h - locks taken in opposite orders: a deadlock may be possible though none occurred.
 *
 * An *edge* is a thread that takes a lock while it holds another. Edges of different threads, each
 * of which wants the lock held by the next, are a cycle: at the same time they would deadlock. It
 * is excluded if two of them hold a common lock (a guard), if a wanted and a held lock are both for
 * reading, or if starts and joins order two threads. Havelund, SPIN 2000 ("GoodLock"); Bensalem
 * and Havelund, PADTAD 2005, for the last two. Other reasons that keep the threads apart are
 * unknown: a cycle is a warning, not a proof.
 *
 *     lock_graph_begin(&o);
 *     lock_graph_takes(&o, ...); lock_graph_frees(&o, ...); ...
 *     n = lock_graph_cycle(&o, edges);
 *
 * in any order that preserves the order of each thread, and puts starts before the started threads.
 * Locks of threads with numbers of ORDER_THREADS or above are ignored.
 */
#ifndef DETECT_LOCK_GRAPH_H
#define DETECT_LOCK_GRAPH_H

#include "base/base.h"

#define ORDER_THREADS 64
#define ORDER_HELD    8	  /* locks held by a thread at once; more are ignored */
#define ORDER_EDGES   512
#define LOCK_GRAPH_CYCLE  8	  /* maximum threads in a cycle */

struct held_lock {
	u64 lock;
	u32 step; /* its place, in the caller's count */
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

/* The thread takes the lock. waits: it would have waited for it; else a trylock. */
void lock_graph_takes(
	struct lock_graph *o, u32 thread, u64 lock, u32 step, bool reading, bool waits);
void lock_graph_frees(struct lock_graph *o, u32 thread, u64 lock);

void lock_graph_creates(struct lock_graph *o, u32 thread, u32 child);
void lock_graph_joins(struct lock_graph *o, u32 thread, u32 child);

/* The edges of a shortest cycle: each wants the lock held by the next one (the last: by the first).
 * 0: none. */
u32 lock_graph_cycle(const struct lock_graph *o, const struct lock_edge *circle[LOCK_GRAPH_CYCLE]);

#endif
