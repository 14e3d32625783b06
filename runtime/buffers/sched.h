/* SPDX-License-Identifier: ISC */
/*
 * sched.h - scheduling on store buffers: threads arrive, and the strategy chooses an agent.
 *
 * An *agent* can move next: a thread that is enabled, or a store in a buffer. S.run holds the
 * enabled threads, S.buffered the threads with a non-empty buffer.
 *
 * Always. (1) a thread is in `run` iff thread_may(t); (2) it is in `buffered` iff its buffer has a
 * store; (3) ncommits is the number of stores that may reach memory now (TSO: buffered.n; PSO: the
 * sum of nready); (4) every thread in `run` but the running one has arrived, or has just
 * been created or has just created one (`unarrived`).
 *
 * Lazily (S.lazy), where the strategy lets most threads go on without looking at the others, (1)
 * does not hold of threads that wait for an object in `stale`; they are updated when one of them
 * may run.
 */
#ifndef BUFFERS_SCHED_H
#define BUFFERS_SCHED_H

#include "machine/core.h"

/* This engine's part of a thread. */
struct sched_thread {
	bool need_empty; /* enabled only when its buffer is empty */
	bool stalled;	 /* a load waits for overlapping stores to reach memory */
	bool full;	 /* a store waits for room in the buffer */
	bool eager;	 /* continues at once when its wait is over (sched.c) */
	bool stored;	 /* stepwise: into its buffer, since it last waited for it to be empty */
	bool timed_out;	 /* its timed wait is over, ready or not */
	bool in_step;	 /* its next operations are part of the current step (sync_one_step()) */
	const struct sync_op *then; /* also waits until this operation is possible (sync_then()) */
	const void *then_obj;
	u64 stall_addr;
	u32 stall_size;
	u64 low; /* while stacks are compared: of its stack, above the scheduler's own part */
	struct buffer buffer;
};
_Static_assert(sizeof(struct sched_thread) <= THREAD_PART, "room for the part");

static inline struct sched_thread *sched_of(const struct thread *t)
{
	return (struct sched_thread *)(uintptr_t)t->part;
}

/* A set of threads with O(1) insert, remove and pick; its order depends on its own history only. */
struct agents {
	u32 n;
	u16 item[THREADS_MAX];
	u16 pos[THREADS_MAX]; /* index in item + 1, 0 = absent */
};

static inline bool agents_has(const struct agents *a, u16 slot)
{
	return a->pos[slot];
}

static inline void agents_add(struct agents *a, u16 slot)
{
	a->item[a->n++] = slot;
	a->pos[slot] = (u16)a->n;
}

/* The new order of the others is a function of the history only. */
static inline void agents_remove(struct agents *a, u16 slot)
{
	u16 place = a->pos[slot];
	u16 last = a->item[--a->n];

	a->item[place - 1] = last;
	a->pos[last] = place;
	a->pos[slot] = 0;
}

#define STALE_MAX 16

extern struct sched {
	u32 ncommits;
	union {
		struct {
			u16 nunarrived, nstale;
			u32 lazy; /* a flag: see above */
		};
		u32 unsettled; /* is there any of the first two? */
		u64 special;   /* of all three? */
	};
	u32 nparked;
	u32 nwaiting;			 /* threads that have arrived at a sync_op */
	u32 nthen;			 /* threads that wait for a second one (sync_then()) */
	u32 preemptions, delays;	 /* in this execution */
	bool bounded;			 /* are these? */
	struct agents run, buffered;	 /* after the fields that are tested most */
	u16 unarrived[THREADS_MAX];	 /* a stack: creators that have to run first */
	const void *waited[THREADS_MAX]; /* by number: the object at which it waits, or NULL */
	const void *stale[STALE_MAX];
} S;

/* An execution begins. */
void sched_begin(void);
bool sched_enabled(const struct thread *t);
bool sched_settled(void);

/* t's condition may have changed: add it to the run set, or remove it. */
void thread_update(struct thread *t);

/* obj has changed: update the threads that wait for it; sched_object_stale(), if S.lazy: later. */
void sched_object_changed(const void *obj);
void sched_object_stale(const void *obj);

/* Checks the invariants above. */
void sched_check(void);

/* The running thread has arrived; returns when it is chosen. */
void schedule(struct thread *t);

/* failure_point() in t, which is in schedule(), or runs. */
void thread_show(struct thread *t);

static inline void arrive(struct thread *t)
{
	if (likely(S.run.n + S.ncommits == 1 && !S.unsettled && M.steps < M.look_at)) {
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
	if (sched_of(t)->eager && agents_has(&S.run, t->slot))
		M.steps++; /* no wait, and no other thread is involved */
	else
		schedule(t);
	sched_of(t)->eager = false;
}

/* The running thread, otherwise enabled, waits for its own buffer: schedule others. */
static inline void arrive_unready(struct thread *t)
{
	agents_remove(&S.run, t->slot);
	schedule(t);
	sched_of(t)->eager = false;
}

/* The number of stores of t that may reach memory; TSO: 0 or 1. */
static inline u32 buffer_ready(const struct thread *t)
{
	const struct buffer *b = &sched_of(t)->buffer;

	return M.buffers == BUFFERS_BY_LOCATION ? b->nready : b->n != 0;
}

/* After a push or pop: keeps `buffered`, ncommits and `alone`. before: the earlier
 * buffer_ready(). */
static inline void buffer_changed(struct thread *t, u32 before)
{
	u32 now = buffer_ready(t);

	if (before == now)
		return;
	S.ncommits += now - before;
	if (!before)
		agents_add(&S.buffered, t->slot);
	else if (!now)
		agents_remove(&S.buffered, t->slot);
	M.alone = M.nlive == M.alone_at && !S.buffered.n;
}

/* Memory has been written: wake the threads that spin on it. Call when S.nparked. */
void memory_changed(u64 addr, u64 size);

/* stuck.c: no thread is enabled. Lets a timed wait time out, or ends the execution. */
void stuck(void);

#endif
