/* SPDX-License-Identifier: ISC */
/* thread.c - creation, end and join of threads on store buffers. */
#include "buffers/buffers.h"
#include "buffers/sched.h"

/* The new thread runs at once until it first arrives; then the creator continues. */
struct thread *buffers_thread_created(struct thread *self, struct thread *t)
{
	M.alone = false;
	if (M.recording && M.fine)
		return t;
	M.unarrived[M.nunarrived++] = self->slot;
	M.cur = t;
	fiber_switch(&self->fiber, &t->fiber);
	return t;
}

void buffers_thread_exit(void *result)
{
	struct thread *t = M.cur;

	agents_remove(&M.run, t->slot);
	M.nlive--;
	M.alone = M.nlive == 1 && !M.buffered.n;
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

void buffers_thread_join(struct thread *t)
{
	struct thread *self = M.cur;

	if (t->finished && !M.alone && buffer_empty(&self->buffer)) {
		spin_reset(&self->spin);
		M.steps++; /* nothing to wait for, no other thread concerned */
		return;
	}
	self->eager = true; /* a join concerns no other thread */
	buffers_sync(&join_op, t, 0, ARRIVE_ONLY);
	self->eager = false;
}
