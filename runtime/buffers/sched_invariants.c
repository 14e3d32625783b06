/* SPDX-License-Identifier: ISC */
/*
 * sched_invariants.c - the invariants in sched.h, checked between two steps on store buffers (make
 * TINY=1): recomputed from the threads.
 */
#include "buffers/sched.h"
#include "machine/wait/sync.h"

/* Each thread occurs once, at the index that it holds. */
static void check_agents(const struct agents *a)
{
	BUG_ON(a->n > M.nthreads);
	for (u32 i = 0; i < a->n; i++) {
		const struct thread *t = &M.thread[a->item[i]];

		BUG_ON(a->item[i] >= THREADS_MAX || a->pos[a->item[i]] != i + 1);
		BUG_ON(t->number >= M.nthreads || M.created[t->number] != a->item[i]);
	}
}

static bool should_be_enabled(const struct thread *t)
{
	const struct buffer *b = &sched_of(t)->buffer;

	if (t->finished || t->parked)
		return false;
	if (sched_of(t)->full)
		return b->n < M.buffer_size;
	if (sched_of(t)->stalled)
		return !buffer_overlaps(b, sched_of(t)->stall_addr, sched_of(t)->stall_size);
	return !(sched_of(t)->need_empty && b->n) &&
	       (sched_of(t)->timed_out || !t->op || sync_ready(t->op, t->obj, t));
}

static bool waits_for_stale(const struct thread *t)
{
	for (u32 i = 0; i < S.nstale; i++)
		if (S.stale[i] == t->obj || S.stale[i] == sched_of(t)->then_obj)
			return true;
	return false;
}

static void check_thread(const struct thread *t)
{
	BUG_ON(should_be_enabled(t) != agents_has(&S.run, t->slot) && !waits_for_stale(t));
	BUG_ON((sched_of(t)->buffer.nstores > 0) != agents_has(&S.buffered, t->slot));
	BUG_ON(t->finished && (sched_of(t)->buffer.n || t->parked));
	BUG_ON(M.buffers == BUFFERS_NONE && sched_of(t)->buffer.n);
	BUG_ON(sched_of(t)->buffer.n > M.buffer_size);
	buffer_check(&sched_of(t)->buffer);
	if (t->parked) /* else a wake-up was lost */
		BUG_ON(spin_changed(&t->spin, &sched_of(t)->buffer, 0, 0));
}

/* Creators and threads whose wait is over: each is enabled, and occurs once. */
static void check_unarrived(void)
{
	for (u32 i = 0; i < S.nunarrived; i++) {
		BUG_ON(!agents_has(&S.run, S.unarrived[i]));
		for (u32 k = 0; k < i; k++)
			BUG_ON(S.unarrived[k] == S.unarrived[i]);
	}
}

void sched_check(void)
{
	u32 live = 0, parked = 0, waiting = 0, commits = 0;

	check_agents(&S.run);
	check_agents(&S.buffered);
	check_unarrived();
	for (u32 i = 0; i < M.nthreads; i++) {
		const struct thread *t = &M.thread[M.created[i]];

		BUG_ON(t->number != i || t->slot != M.created[i]);
		check_thread(t);
		live += !t->finished;
		parked += t->parked;
		waiting += t->op && sched_of(t)->need_empty;
		commits += buffer_ready(t);
	}
	BUG_ON(live != M.nlive || parked != S.nparked || waiting != S.nwaiting ||
		commits != S.ncommits);
	BUG_ON(M.alone != (M.nlive == 1 && !S.buffered.n));
}
