/* SPDX-License-Identifier: ISC */
/*
 * traces_order.c - happens-before of a trace: that of all its schedules.
 *
 * As in a graph, except that a section comes after another one of its mutex only if they conflict:
 * otherwise another schedule of the trace has them in the opposite order. So two accesses that it
 * does not order race in some schedule, though perhaps not in the current one.
 */
#include "traces/traces_priv.h"

static void join_trace_clock(const struct traces *x, u16 *to, const u16 *from)
{
	for (u32 t = 0; t < x->trust->graph.nthreads; t++)
		to[t] = from[t] > to[t] ? from[t] : to[t];
}

/* Two events of a location, or of a block of the heap: do they conflict? */
static bool are_in_conflict(const struct trust *tr, u32 a, u32 b)
{
	const struct graph *g = &tr->graph;
	const struct gevent *p = &g->event[a], *q = &g->event[b];
	const struct label *l = trust_label(tr, a), *m = trust_label(tr, b);
	u32 of_a = label_block(l), of_b = label_block(m);

	if (!(p->flags & (E_READ | E_WRITE)) || !(q->flags & (E_READ | E_WRITE)))
		return false;
	if (p->loc == q->loc && (p->flags | q->flags) & E_WRITE && !label_apart(l, m))
		return true;
	return of_a && of_a == of_b &&
	       ((p->flags & (E_HEAP | E_WRITE)) == (E_HEAP | E_WRITE) ||
		       (q->flags & (E_HEAP | E_WRITE)) == (E_HEAP | E_WRITE));
}

/* The section of the step that begins with `first'. */
static void find_section(struct traces *x, u32 first)
{
	const struct graph *g = &x->trust->graph;
	struct traces_priv *p = x->priv;
	u32 end = 0;

	for (u32 e = first; e <= g->n; e++) {
		p->section[e] = p->unlock[e] = 0;
		p->split[e] = label_has(trust_label(x->trust, e), OP_RELEASES);
		if (p->split[e] && g->event[e].loc == g->event[first].loc &&
			label_locks(trust_label(x->trust, first)))
			end = e;
	}
	if (!end)
		return;
	p->unlock[first] = (u16)end;
	for (u32 e = first + 2; e <= end; e++) {
		p->section[e] = (u16)first;
		if (g->event[e].loc == g->event[first].loc)
			p->section[e] = p->split[e] = 0;
	}
}

/* The clock of the LOCK of a section: from earlier sections that conflict with it, or that are
 * several steps. */
static void order_section(struct traces *x, u32 lock, u16 *clock)
{
	const struct graph *g = &x->trust->graph;
	const struct traces_priv *p = x->priv;

	for (u32 a = lock - 1; a; a--) {
		u32 other = p->section[a], end = other ? p->unlock[other] : a;

		if (g->event[other ? other : a].loc != g->event[lock].loc ||
			clock[g->event[a].thread] >= g->event[end].index)
			continue;
		if (p->split[a])
			join_trace_clock(x, clock, p->hb[a]);
		for (u32 e = lock; other && e <= g->n; e++)
			if (p->section[e] == lock && are_in_conflict(x->trust, a, e))
				join_trace_clock(x, clock, p->hb[end]);
	}
}

/* The order from an operation. */
static void orders_of(const struct traces *x, u32 e, bool *acquires, bool *releases)
{
	const struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x->trust, e);
	u32 r = ev->flags & E_WRITE && ev->flags & E_EXCL ? ev->po_prev : e;
	struct object_step s;

	*acquires = *releases = false;
	if (ev->flags & E_PLAIN)
		return;
	if (l->type == LABEL_SYNC) {
		s = object_step(l->op, l->value, ev->thread, g->event[r].value);
		*acquires = s.acquire;
		*releases = s.release;
	} else {
		*acquires = order_acquires(l->order);
		*releases = order_releases(l->order);
		if (l->type == LABEL_CAS && !(ev->flags & E_EXCL))
			*acquires = order_acquires(l->fail);
	}
}

/* The write from whose message e, which has read a write, acquires: not from operations that
 * commute with it, which come after it in other schedules. */
static u32 acquired_from(const struct traces *x, u32 e)
{
	const struct graph *g = &x->trust->graph;
	enum access_mode mode = step_mode(x, e);
	u32 w = g->event[e].rf;

	if (mode != ACCESS_ADD && mode != ACCESS_POST && mode != ACCESS_JOIN)
		return w;
	while (w && g->event[w].flags & E_EXCL && step_mode(x, g->event[w].po_prev) == mode)
		w = g->event[g->event[w].po_prev].rf;
	return w;
}

static void order_event(struct traces *x, u32 e)
{
	const struct graph *g = &x->trust->graph;
	const struct gevent *ev = &g->event[e];
	struct traces_priv *p = x->priv;
	u16 *hb = p->hb[e], *message = p->message[e];
	bool acquires, releases;

	__builtin_memset(hb, 0, sizeof p->hb[e]);
	__builtin_memset(message, 0, sizeof p->message[e]);
	if (ev->po_prev)
		join_trace_clock(x, hb, p->hb[ev->po_prev]);
	hb[ev->thread] = ev->index;
	if ((ev->type == LABEL_START || ev->type == LABEL_JOIN) && ev->rf)
		join_trace_clock(x, hb, p->hb[ev->rf]);
	orders_of(x, e, &acquires, &releases);
	if (p->unlock[e])
		order_section(x, e, hb);
	else if (ev->flags & E_READ && acquires && acquired_from(x, e))
		join_trace_clock(x, hb, p->message[acquired_from(x, e)]);
	if (!(ev->flags & E_WRITE))
		return;
	if (releases)
		join_trace_clock(x, message, hb);
	if (ev->flags & E_EXCL && g->event[ev->po_prev].rf)
		join_trace_clock(x, message, p->message[g->event[ev->po_prev].rf]);
}

/* Does e begin or end the life of an object? */
static bool is_of_life(const struct label *l)
{
	return label_has(l, OP_LIFE);
}

/* Does e race with an event before it: one of them plain, or the beginning or end of an object's
 * life? */
static bool event_races(const struct traces *x, u32 e)
{
	const struct graph *g = &x->trust->graph;
	const struct traces_priv *p = x->priv;
	const struct gevent *ev = &g->event[e];
	bool life = is_of_life(trust_label(x->trust, e));

	for (u32 a = e - 1; a; a--) {
		const struct gevent *other = &g->event[a];

		if (other->index <= p->hb[e][other->thread])
			continue;
		if (((ev->flags | other->flags) & E_PLAIN && are_in_conflict(x->trust, a, e)) ||
			(life && other->loc == ev->loc))
			return true;
	}
	return false;
}

bool order_step(struct traces *x, u32 first)
{
	const struct graph *g = &x->trust->graph;

	find_section(x, first);
	for (u32 e = first; e <= g->n; e++)
		order_event(x, e);
	for (u32 e = first; e <= g->n; e++)
		if (g->event[e].flags & (E_READ | E_WRITE) && event_races(x, e))
			return traces_refuse(x, traces_may_race);
	return true;
}
