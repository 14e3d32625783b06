/* SPDX-License-Identifier: ISC */
/*
 * stepwise.c - arrivals that are no choice otherwise: before each store, and at fences
 * (M.stepwise, M.fine). Whether a thread arrives depends on its own steps alone, not on what its
 * buffer has left.
 */
#include "buffers/access.h"

void stepwise_store(struct thread *t)
{
	if ((M.recording && M.fine) || M.stepwise)
		arrive(t);
	sched_of(t)->stored = M.stepwise;
}

void stepwise_fence(struct thread *t, int order)
{
	if (M.alone || M.buffers != BUFFERS_BY_LOCATION)
		return;
	if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL)
		arrive(t);
}

bool stepwise_drain(struct thread *t)
{
	if (M.alone)
		return false;
	if (!sched_of(t)->stored)
		return true;
	sched_of(t)->stored = false;
	sched_of(t)->need_empty = true;
	if (buffer_empty(&sched_of(t)->buffer))
		schedule(t);
	else
		arrive_unready(t);
	sched_of(t)->need_empty = false;
	return true;
}
