/* SPDX-License-Identifier: ISC */
/*
 * history_order.c - happens-before in a recorded execution on store buffers.
 *
 * The same as in a graph of the model (model/graph_clocks.c): po and rf, and the order of the
 * operations on each synchronisation object; under PSO only releasing stores. A clock per event;
 * commits have none.
 */
#include "history/history_priv.h"
#include "machine/core.h"
#include "machine/record/record.h"
#include "process/pages.h"

#include <string.h>

#define CLOCKS ((u64)1 << 27) /* maximum numbers in all clocks */

static struct {
	u32 lanes; /* threads */
	u32 *clock, *message; /* [nevents + 1][lanes]; 0: of nothing */
	u32 last[THREADS_MAX],
		created[THREADS_MAX]; /* events of a thread: the last one, its CREATE */
	u32 released[THREADS_MAX]; /* PSO: later stores release all before that event */
} H;

static u32 *clock_of(u32 step)
{
	return H.clock + (u64)step * H.lanes;
}

static void join_step_clock(u32 step, const u32 *from)
{
	u32 *to = clock_of(step);

	for (u32 i = 0; i < H.lanes; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* The last operation on the object before step. */
static u32 previous_event(u32 step)
{
	u64 addr = record.event[step - 1].addr;

	for (u32 s = step - 1; s; s--) {
		const struct event *e = &record.event[s - 1];

		if (event_is_sync(e) && e->addr == addr &&
			!(kind_has(e->kind, KIND_TRIES) && e->value[0]))
			return s;
	}
	return 0;
}

/* Join the clocks of an event's predecessors in other threads. */
static void join_others(u32 step, const struct event *e)
{
	bool by_location = M.buffers == BUFFERS_BY_LOCATION;

	if (kind_is_read(e->kind) && e->from && !(by_location && e->flags & EVENT_PLAIN))
		join_step_clock(step, H.message + (u64)e->from * H.lanes);
	else if (event_is_sync(e))
		join_step_clock(step, clock_of(previous_event(step)));
	else if (e->kind == EV_START)
		join_step_clock(step, clock_of(H.created[e->thread]));
	else if (e->kind == EV_JOIN && e->old[0] < THREADS_MAX)
		join_step_clock(step, clock_of(H.last[e->old[0]]));
}

/* Is the thread's buffer empty after it, or marked? */
static bool is_history_release(const struct event *e)
{
	switch (e->kind) {
	case EV_READ: return false;
	case EV_WRITE: return e->order == __ATOMIC_SEQ_CST && !(e->flags & EVENT_PLAIN);
	case EV_FENCE: return e->order >= __ATOMIC_RELEASE;
	default: return !kind_has(e->kind, KIND_LOCAL);
	}
}

static void set_message(u32 step, const struct event *e)
{
	u32 *to = H.message + (u64)step * H.lanes;
	const u32 *from = clock_of(step);

	if (M.buffers == BUFFERS_BY_LOCATION && e->kind == EV_WRITE) {
		if (e->flags & EVENT_PLAIN)
			return;
		if (e->order < __ATOMIC_RELEASE)
			from = clock_of(H.released[e->thread]);
	}
	memcpy(to, from, H.lanes * sizeof *to);
}

bool history_order(void)
{
	H.lanes = M.nthreads;
	if (record.full || (u64)(record.nevents + 1) * H.lanes > CLOCKS)
		return false;
	if (!H.clock) {
		H.clock = pages_need(CLOCKS * sizeof *H.clock);
		H.message = pages_need(CLOCKS * sizeof *H.message);
	}
	memset(H.clock, 0, (u64)(record.nevents + 1) * H.lanes * sizeof *H.clock);
	memset(H.message, 0, (u64)(record.nevents + 1) * H.lanes * sizeof *H.message);
	memset(H.last, 0, H.lanes * sizeof *H.last);
	memset(H.created, 0, H.lanes * sizeof *H.created);
	memset(H.released, 0, H.lanes * sizeof *H.released);
	for (u32 step = 1; step <= record.nevents; step++) {
		const struct event *e = &record.event[step - 1];

		if (e->kind == EV_COMMIT || e->thread >= H.lanes)
			continue;
		join_step_clock(step, clock_of(H.last[e->thread]));
		clock_of(step)[e->thread]++;
		join_others(step, e);
		if (is_history_release(e))
			H.released[e->thread] = step;
		if (kind_is_write(e->kind))
			set_message(step, e);
		if (e->kind == EV_CREATE && e->old[0] < H.lanes)
			H.created[e->old[0]] = step;
		H.last[e->thread] = step;
	}
	return true;
}

bool history_ordered(u32 a, u32 b)
{
	u16 thread = record.event[a - 1].thread;

	return clock_of(b)[thread] >= clock_of(a)[thread];
}
