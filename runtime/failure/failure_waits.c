/* SPDX-License-Identifier: ISC */
/* failure_waits.c - the blocked operations of an execution graph without enabled threads. */
#include "machine/core.h"
#include "machine/wait/delivery.h"
#include "machine/wait/interrupt.h"
#include "object/cancel.h"
#include "failure/failure.h"

static enum event_kind wait_kind(const struct label *l)
{
	switch (l->type) {
	case LABEL_SYNC: return object_op_event(l->op);
	case LABEL_JOIN: return EV_JOIN;
	case LABEL_LEAVE: return EV_BARRIER_LEAVE;
	case LABEL_SPIN: return l->op ? object_op_event(l->op) : EV_READ;
	default: return EV_READ;
	}
}

/* The thread that holds the object of l, or -1. */
static i32 wait_holder(const struct graph *g, const struct label *l)
{
	if (l->type == LABEL_JOIN)
		return l->other;
	if (l->type != LABEL_SYNC || l->loc >= g->nplaces)
		return -1;
	return object_owner(l->op, graph_write_value(g, g->place[l->loc].co_last, l->loc));
}

/* The location of the last read of a spin loop's iteration, or of its last read under a lock. */
static u32 spun_on(const struct graph *g, u32 t, u32 steps)
{
	u32 e = g->thread[t].last, last = 0;

	for (u32 i = e; i && (!last || steps); i = g->event[i].po_prev, steps -= !!steps) {
		if (!(g->event[i].flags & E_READ) || place_is_tally(g->places, g->event[i].loc))
			continue;
		last = last ? last : i;
		if (steps && !(g->event[i].flags & (E_SYNC | E_EXCL)))
			return g->event[i].loc;
	}
	return last ? g->event[last].loc : 0;
}

/* The state of the requests to cancel a thread. */
static u64 requests_of(const struct graph *g, u32 t)
{
	u32 loc = place_find(g->places, interrupt_object(t), 0);

	return loc ? graph_write_value(g, g->place[loc].co_last, loc) : CANCEL_NONE;
}

/* The signals that are pending for a thread, or the process. */
static u64 signals_for(const struct graph *g, u32 to)
{
	u32 loc = place_find(g->places, delivery_object(to), 0);

	return loc ? signals_pending(graph_write_value(g, g->place[loc].co_last, loc)) : 0;
}

/* Does it wait for signals at one of two objects, while the other one has some? */
static bool has_signals_elsewhere(const struct graph *g, u32 t, const struct label *l)
{
	return l->type == LABEL_SYNC && object_op_has(l->op, OP_EITHER) &&
	       (signals_for(g, t) | signals_for(g, DELIVERY_PROCESS)) & l->value;
}

/* Could the thread be interrupted at l, or is this an execution in which it must be? */
static bool is_interruptible(const struct graph *g, u32 t, const struct label *l)
{
	if (!(l->type == LABEL_SYNC || l->type == LABEL_JOIN || l->type == LABEL_SPIN ||
		    l->type == LABEL_TIME) ||
		!(l->flags & LABEL_INTERRUPT))
		return false;
	if (l->type == LABEL_SYNC && object_op_has(l->op, OP_CANCELS))
		return true;
	return (l->fail && requests_of(g, t) == CANCEL_PENDING) ||
	       (signals_for(g, t) | signals_for(g, DELIVERY_PROCESS)) & l->expected;
}

/* Is the label the end of an iteration, or of one before it counts? */
static bool spins(const struct graph *g, const struct label *l)
{
	return l->type == LABEL_SPIN ||
	       (l->type == LABEL_RMW && place_is_tally(g->places, l->loc));
}

u32 failure_waits(const struct trust *x, struct wait *w, bool *timed)
{
	const struct graph *g = &x->graph;
	u32 n = 0;
	i32 holder;

	*timed = false;
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = &x->cache.node[g->thread[t].node].label;
		bool polls = trust_waits_again(x, t);
		u32 loc = polls || spins(g, l) ? spun_on(g, t, polls ? l->again : 0) : l->loc;

		if (!graph_is_alive(g, t) || l->type == LABEL_END)
			continue;
		*timed |= l->flags & LABEL_TIMED || is_interruptible(g, t, l) ||
			  has_signals_elsewhere(g, t, l);
		holder = polls ? -1 : wait_holder(g, l);
		w[n++] = (struct wait){
			.thread = t,
			.name = "",
			.kind = polls ? EV_READ : wait_kind(l),
			.object = loc ? sync_named(g->places->place[loc].addr) : 0,
			.holder = holder,
			.calls = M.options->call_stacks && !polls ? l->site : 0,
			.cancelled = holder >= 0 && requests_of(g, (u32)holder) == CANCEL_ACTED,
		};
	}
	return n;
}
