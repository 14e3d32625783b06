/* SPDX-License-Identifier: ISC */
/*
 * trust_late.c - iterations of loops that other threads observe only after the loop.
 *
 * An iteration that restores the state is repeated when another thread has read a value that it
 * wrote on the way (trust_again.c). If that thread itself waited for the end of the loop, each
 * would wait for the other, and the execution in which it reads an iteration's write late would not
 * be explored. Where causes happen before their effects, it could read only the last write of the
 * iteration, which restores the state. Under RC11 a relaxed access can come after the loop without
 * happening after it; under PSO a store of the iteration can be delayed past it.
 *
 * Found.  Each of those executions, up to the late read and without the iteration, is explored, or
 *         is the beginning of one that is. So the leaves are searched for a read, by a thread that
 *         comes after the loop but need not know the iteration's writes, of a location that
 *         iterations write on the way (struct polls). A location that becomes known only after the
 *         first leaf makes the exploration begin again; so does such a read.
 * Debts.  From then on, when no other thread is enabled, a thread may begin its next iteration
 *         before the last one has been observed: that is a debt. An execution counts only when late
 *         reads have observed all of its debts. Along the causal order of these reads, the number
 *         of debts grows by at most one at a time. So if no execution has TRUST_DEBTS of them, none
 *         has more, and the exploration is complete.
 * Not     searched for: late operations on objects. All but a failing trylock wait for the last
 *         operation on the object, or follow it.
 */
#include "trust/trust_priv.h"

static bool is_observed_late(const struct graph *g)
{
	return g->model->has_clocks; /* else happens-before is causality */
}

/* --- the writes of iterations ---------------------------------------------------------------- */

static u32 event_at(const struct graph *g, u32 t, u32 index)
{
	u32 e = g->thread[t].last;

	while (e && g->event[e].index > index)
		e = g->event[e].po_prev;
	return e;
}

static void learn_late(
	struct trust *x, const struct trust_iteration *a, const struct trust_written *w)
{
	const struct graph *g = &x->graph;
	const struct place *place = &x->places->place[g->event[w->last].loc];
	struct polls *p = x->polls;
	bool ordered = trust_is_ordered(g, w);

	for (u32 i = 0; i < p->n; i++)
		if (p->poll[i].addr == place->addr && p->poll[i].size == place->size &&
			p->poll[i].thread == a->thread && p->poll[i].excl <= w->excl &&
			p->poll[i].ordered <= ordered)
			return;
	if (p->n == POLLS_MAX) {
		p->late = true;
	} else {
		p->poll[p->n].addr = place->addr;
		p->poll[p->n].size = place->size;
		p->poll[p->n].site =
			x->cache.node[g->event[event_at(g, a->thread, a->first)].node].label.site;
		p->poll[p->n].thread = (u8)a->thread;
		p->poll[p->n].excl = w->excl;
		p->poll[p->n].ordered = ordered;
		p->n++;
	}
	if (p->begun || trust_leaves(x))
		x->answer = ANSWER_RESTART;
}

void trust_learn_polls(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	struct trust_iteration a =
		trust_last_iteration(g, t, x->cache.node[g->thread[t].node].label.again);

	x->polled = true;
	for (u32 e = g->thread[t].last; is_observed_late(g) && e && iteration_has(&a, &g->event[e]);
		e = g->event[e].po_prev) {
		struct trust_written w;

		if (!(g->event[e].flags & E_WRITE) || g->event[e].flags & (E_SYNC | E_PLAIN))
			continue;
		w = trust_written_at(g, &a, e);
		/* PSO: an RMW waits until the stores before it are in memory. */
		if (w.last == e && !(g->model->has_store_fences && g->event[e].flags & E_EXCL))
			learn_late(x, &a, &w);
	}
}

/* --- late reads ------------------------------------------------------------------------------- */

/* Does this clock contain a write that comes after the iteration before e? */
static bool is_past_iteration(const struct trust *x, const u16 *clock, u32 loc, u32 e)
{
	const struct graph *g = &x->graph;
	u32 w = e;

	while (w && !(g->event[w].flags & E_WRITE && g->event[w].loc == loc))
		w = g->event[w].po_next;
	if (!w || x->rf)
		return w && graph_known(g, clock, loc, w);
	for (; w; w = g->event[w].co_next)
		if (graph_known(g, clock, loc, w))
			return true;
	return false;
}

/* Could r read a write of an iteration that precedes r's thread? */
static bool is_late_read(const struct trust *x, u32 i, u32 r)
{
	const struct graph *g = &x->graph;
	u32 before = g->event[r].po_prev, t = x->polls->poll[i].thread, e;
	bool delays = g->model->has_store_fences;
	u32 known = graph_cause(g, before)[t], ordered = graph_hb(g, before)[t];

	if (delays || !x->polls->poll[i].ordered)
		ordered = 0;
	for (e = event_at(g, t, known); e && g->event[e].index > ordered; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];
		u32 site = x->polls->poll[i].site;

		if (delays && (ev->type == LABEL_END || ev->flags & (E_FULL | E_EXCL | E_SYNC)))
			return false;
		if ((!site || trust_label(x, e)->site == site))
			return !is_past_iteration(x, graph_hb(g, before), g->event[r].loc, e);
	}
	return false;
}

static bool any_is_late(const struct trust *x, u32 i)
{
	const struct graph *g = &x->graph;
	u32 loc = place_find(x->places, x->polls->poll[i].addr, x->polls->poll[i].size);

	if (!loc || loc >= g->nplaces)
		return false;
	for (u32 r = g->place[loc].reads; r; r = g->event[r].loc_prev) {
		const struct gevent *ev = &g->event[r];

		if (ev->thread == x->polls->poll[i].thread || ev->flags & (E_WAIT | E_PLAIN) ||
			(ev->type == LABEL_RMW && x->polls->poll[i].excl))
			continue;
		if (is_late_read(x, i, r))
			return true;
	}
	return false;
}

/* --- debts ------------------------------------------------------------------------------------ */

enum debt { DEBT_NONE, DEBT_OPEN, DEBT_PAID };

/* Is the iteration before e observed only by events after e? By none? */
static enum debt find_debt(const struct trust *x, u32 e)
{
	struct trust_seen earlier = {.before = e};
	struct trust_iteration a;

	if (!trust_is_again(x, e))
		return DEBT_NONE;
	a = trust_iteration_until(
		&x->graph, x->graph.event[e].po_prev, trust_label(x, e)->again);
	if (trust_observer(x, &a, &earlier))
		return DEBT_NONE;
	return trust_observer(x, &a, NULL) ? DEBT_PAID : DEBT_OPEN;
}

bool trust_may_borrow(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	u32 n = 0;

	if (!graph_is_alive(g, t) || !trust_waits_again(x, t))
		return false;
	for (u32 e = 1; e <= g->n; e++)
		n += find_debt(x, e) != DEBT_NONE;
	return n < TRUST_DEBTS && trust_plain_state(x, t) == THREAD_READY;
}

bool trust_late_leaf(struct trust *x, enum leaf *how)
{
	struct graph *g = &x->graph;
	u32 paid = 0, open = 0;

	for (u32 i = 0; i < x->polls->n && !x->late; i++) {
		if (!any_is_late(x, i))
			continue;
		x->polls->late = true;
		x->answer = ANSWER_RESTART;
		return false;
	}
	for (u32 e = 1; e <= g->n && x->late; e++) {
		enum debt d = find_debt(x, e);

		paid += d == DEBT_PAID;
		open += d == DEBT_OPEN;
	}
	if (open)
		*how = LEAF_BLOCKED;
	else if (paid == TRUST_DEBTS)
		x->bounded |= TRUST_POLLS;
	return true;
}
