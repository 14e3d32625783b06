/* SPDX-License-Identifier: ISC */
/* thread.c - creation, end and join of threads on store buffers. */
#include "buffers/buffers.h"
#include "buffers/happens.h"
#include "buffers/private.h"
#include "buffers/sched.h"
#include "buffers/trace_note.h"

void buffers_thread_new(u32 slot, void *stack_end)
{
	struct thread *t = &M.thread[slot];
	struct sched_thread *o = sched_of(t);

	o->need_empty = o->stalled = o->full = o->eager = o->timed_out = o->in_step = false;
	o->stored = false;
	o->then = NULL;
	o->then_obj = NULL;
	S.waited[t->number] = NULL;
	buffer_init(&o->buffer, M.buffers == BUFFERS_BY_LOCATION);
	agents_add(&S.run, (u16)slot);
	if (unlikely(t->lives))
		private_give_up(); /* its stack and number belonged to another thread */
	if (unlikely(traces_noted || trace_states_only))
		trace_note_thread(t);
	if (private_on)
		happens_thread(t, t->number ? &M.thread[t->parent] : NULL);
}

u32 buffers_stores(const struct thread *t)
{
	return sched_of(t)->buffer.nstores;
}

bool buffers_overlaps_store(u64 addr, u32 size)
{
	return buffer_overlaps(&sched_of(M.cur)->buffer, addr, size);
}

/* The new thread runs at once until it arrives for the first time; then the creator continues. But
 * in samples private accesses may take it far, even to a failure, so others may come first. */
struct thread *buffers_thread_created(struct thread *self, struct thread *t)
{
	M.alone = false;
	if ((M.recording && M.fine) || (private_on && M.sampling))
		return t;
	S.unarrived[S.nunarrived++] = self->slot;
	M.cur = t;
	fiber_switch(&self->fiber, &t->fiber);
	return t;
}

void buffers_thread_exit(void *result)
{
	struct thread *t = M.cur;

	agents_remove(&S.run, t->slot);
	M.nlive--;
	M.alone = M.nlive == M.alone_at && !S.buffered.n;
	buffers_sync_changed(t);
	schedule(t);
	__builtin_unreachable();
}

static bool join_ready(const struct thread *t, const void *obj)
{
	return ((const struct thread *)obj)->finished;
}

static int join_holder(const void *obj)
{
	return ((const struct thread *)obj)->slot;
}

static const struct sync_op join_op = {
	.kind = EV_JOIN,
	.ready = join_ready,
	.holder = join_holder,
};

void buffers_thread_join(struct thread *t, bool timed)
{
	struct thread *self = M.cur;

	if (t->finished && !M.alone && !M.stepwise && buffer_empty(&sched_of(self)->buffer)) {
		spin_reset(&self->spin);
		M.steps++; /* no wait, and no other thread is involved */
		if (private_on)
			happens_join(self, t);
		return;
	}
	sched_of(self)->eager = !M.alone && !M.stepwise; /* a join involves no other thread */
	buffers_sync(&join_op, t, 0, ARRIVE_ONLY);
}
