/* SPDX-License-Identifier: ISC */
/*
 * sched.h - scheduling on store buffers: threads arrive, and the strategy chooses an agent.
 *
 * An *agent* is whatever may move next: a thread that is enabled, or a store in a buffer. M.run
 * holds the enabled threads, M.buffered the threads with a non-empty buffer.
 *
 * Always. (1) a thread is in `run` iff thread_may(t); (2) it is in `buffered` iff its buffer has a
 * store; (3) ncommits is the number of stores that may reach memory now (TSO: buffered.n; PSO: the
 * sum of nready); (4) every thread in `run` but the running one has arrived, or has just
 * been created or has just created one (`unarrived`).
 */
#ifndef BUFFERS_SCHED_H
#define BUFFERS_SCHED_H

#include "machine/core.h"

/* t's condition may have changed: add it to the run set, or remove it. */
void thread_update(struct thread *t);

/* Checks the invariants above. */
void sched_check(void);

/* The running thread has arrived; returns when it is chosen. */
void schedule(struct thread *t);

/* failure_point() in t, which is in schedule(), or runs. */
void thread_show(struct thread *t);

static inline void arrive(struct thread *t)
{
	if (likely(M.run.n + M.ncommits == 1 && !M.nunarrived && M.steps < M.look_at)) {
		INVARIANT(sched_check());
		M.steps++;
		return;
	}
	schedule(t);
}

/* Arrive with conditions set in t (need_empty, op, ...), perhaps blocked. Inline: each frame is a
 * mispredicted return. */
static inline void arrive_blocked(struct thread *t)
{
	thread_update(t);
	if (t->eager && agents_has(&M.run, t->slot))
		M.steps++; /* nothing to wait for, no other thread concerned */
	else
		schedule(t);
	t->eager = false;
}

/* The running thread, otherwise enabled, has to wait for its own buffer: others move. */
static inline void arrive_unready(struct thread *t)
{
	agents_remove(&M.run, t->slot);
	schedule(t);
	t->eager = false;
}

/* The number of stores of t that may reach memory; TSO: 0 or 1. */
static inline u32 buffer_ready(const struct thread *t)
{
	return M.buffers == BUFFERS_BY_LOCATION ? t->buffer.nready : t->buffer.n != 0;
}

/* After a push or pop: keeps `buffered`, ncommits and `alone`. before: what buffer_ready() was. */
static inline void buffer_changed(struct thread *t, u32 before)
{
	u32 now = buffer_ready(t);

	if (before == now)
		return;
	M.ncommits += now - before;
	if (!before)
		agents_add(&M.buffered, t->slot);
	else if (!now)
		agents_remove(&M.buffered, t->slot);
	M.alone = M.nlive == 1 && !M.buffered.n;
}

/* Memory has been written: wake the threads that spin on it. Call when M.nparked. */
void memory_changed(u64 addr, u64 size);

/* stuck.c: no thread is enabled. Lets a timed wait time out, or ends the execution. */
void stuck(void);

#endif
