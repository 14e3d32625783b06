/* SPDX-License-Identifier: ISC */
/*
 * trust_time.c - sleeps and timed waits where time passes only when nothing else can happen
 * (--sleepers last).
 *
 * When all threads have ended, sleep, or wait for an event that no other thread causes, time
 * advances to the first deadline: an event, LABEL_TIME, with the last events of all threads as
 * causes. It is a cause of all later events, so no write after it revisits a read before it, except
 * in the last iterations of spin loops, which are repeated later. Other threads whose deadline has
 * passed by then continue, too: their events come after the first event that reached it.
 *
 * A thread that waits may be interrupted by a signal, or a request to cancel it, that comes later.
 * It has looked for both when the call began (machine/wait/interrupt.h): these looks are not among
 * the causes either. A signal that they see after such an event has found the thread waiting; once
 * one has arrived, time does not pass.
 */
#include "object/cancel.h"
#include "object/signals.h"
#include "trust/trust_priv.h"

#define TIME_KEY (1ull << 63) /* no result of an operation on an object */

bool trust_is_due(const struct trust *x, const struct label *l)
{
	u64 deadline = label_deadline(l);

	return deadline && graph_time_reached(&x->graph, deadline);
}

/* Reads of t's last iteration of a spin loop, which is to be repeated. */
static u64 reads_of_iteration(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	const struct label *l = label_of(x, t), *next;

	if (!l || l->type == LABEL_SPIN)
		return l ? l->value : 0;
	if (!label_reads(l) || l->type == LABEL_SYNC || trust_waits_again(x, t))
		return 0;
	next = trust_label_after(x, t, l, l->loc < g->nplaces ? g->place[l->loc].co_last : 0);
	return next->type == LABEL_SPIN && next->value ? next->value - 1 : 0;
}

/* The call that e, a look for signals, is the beginning of; 0: e is none. */
static u64 call_of(const struct trust *x, u32 e)
{
	const struct gevent *ev = &x->graph.event[e];

	return e && ev->type == LABEL_SYNC && object_op_has(ev->op, OP_CALL)
		       ? trust_label(x, e)->value
		       : 0;
}

/* Has a signal arrived since the look e? */
static bool came_since(const struct graph *g, u32 e)
{
	u32 loc = g->event[e].loc;

	return graph_write_value(g, g->place[loc].co_last, loc);
}

/* e, or the event before the looks for signals with which the call that waits after e has begun,
 * and which have found none. It may have read a clock since. *came: one has arrived by now. */
static u32 before_call(const struct trust *x, u32 e, bool *came)
{
	const struct graph *g = &x->graph;
	u32 look = e;
	u64 call;

	while (g->event[look].type == LABEL_CLOCK)
		look = g->event[look].po_prev;
	call = call_of(x, look);
	if (!call || g->event[look].flags & E_EXCL)
		return e;
	for (; call_of(x, look) == call && !(g->event[look].flags & E_EXCL);
		look = g->event[look].po_prev)
		*came |= came_since(g, look);
	return look;
}

static bool is_request_look(const struct gevent *e)
{
	return e->type == LABEL_SYNC && e->op == OBJECT_CANCEL_TEST && !(e->flags & E_EXCL);
}

/* e, or the event before the look for a request to cancel t with which the call that waits with
 * this label has begun, and which has found none. *came: there is one by now. */
static u32 before_request(const struct trust *x, const struct label *l, u32 e, bool *came)
{
	const struct graph *g = &x->graph;
	u32 last = e, look, loc;

	if (!l || !(l->flags & LABEL_INTERRUPT) || !l->fail)
		return e;
	while (g->event[last].type == LABEL_CLOCK)
		last = g->event[last].po_prev;
	for (look = last; look && !is_request_look(&g->event[look]);)
		look = g->event[look].po_prev;
	if (!look)
		return e;
	loc = g->event[look].loc;
	*came |= graph_write_value(g, g->place[loc].co_last, loc) == CANCEL_PENDING;
	return look == last ? g->event[look].po_prev : e;
}

/* The last event of t that is neither part of such an iteration, nor of a call that waits, nor a
 * failed attempt. */
static u32 last_event(struct trust *x, u32 t, bool *came)
{
	const struct graph *g = &x->graph;
	u64 reads = reads_of_iteration(x, t);
	u32 e = g->thread[t].last;

	for (; e && (reads || g->event[e].flags & E_WAIT); e = g->event[e].po_prev)
		reads -= reads && g->event[e].flags & E_READ && graph_half_first(g, e) == e &&
			 !(g->event[e].flags & E_WAIT);
	return before_request(x, label_of(x, t), before_call(x, e, came), came);
}

/* Does t wait for signals at one of two objects, with this label, while the other one has some? The
 * execution is then that in which it waits there. */
static bool waits_elsewhere(const struct trust *x, const struct label *l)
{
	const struct graph *g = &x->graph;

	return l->type == LABEL_SYNC && l->flags & LABEL_EITHER &&
	       signals_pending(graph_write_value(g, g->place[l->other].co_last, l->other)) &
		       l->value;
}

bool trust_signal_came(const struct trust *x, u32 t)
{
	bool came = waits_elsewhere(x, &x->cache.node[x->graph.thread[t].node].label);

	before_call(x, x->graph.thread[t].last, &came);
	return came;
}

/* Thread t continues at this time, after these events. */
static void forward_time(struct trust *x, u32 t, u64 time, const u16 *causes, u32 n)
{
	const struct label l = {.type = LABEL_TIME};
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node;
	u32 e = graph_push(g, t, &l, node, graph_other_flags(g->model, &l));

	g->event[e].value = time;
	g->event[e].stamp = ++x->stamp;
	graph_clocks_after(g, e, causes, n);
	step_to(x, t, node, TIME_KEY | time);
}

/* The latest time so far, but at least the deadline. */
static u64 advance_to(const struct graph *g, u64 deadline)
{
	for (u32 e = g->place[0].reads; e; e = g->event[e].loc_prev)
		if (g->event[e].value > deadline)
			deadline = g->event[e].value;
	return deadline;
}

bool trust_wake(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	u64 deadline = label_deadline(label_of(x, t));
	u16 causes[GRAPH_THREADS] = {(u16)graph_time_reached(g, deadline)};
	u32 n = 0;

	if (causes[0]) {
		forward_time(x, t, g->event[causes[0]].value, causes, 1);
		return true;
	}
	for (u32 u = 0; u < g->nthreads; u++)
		if (g->thread[u].last)
			causes[n++] = g->thread[u].last;
	forward_time(x, t, advance_to(g, deadline), causes, n);
	return true;
}

/* Can time not advance? The process is over, or a thread that timed out still takes a wake-up,
 * which must be there already. */
static bool is_no_time(const struct label *l)
{
	return (l->type == LABEL_END && l->flags & LABEL_EXIT) ||
	       (l->type == LABEL_SYNC && l->flags & LABEL_TIMED && !l->expected);
}

/* The thread that waits for the first deadline; all others wait for ever, if nothing happens.
 * nthreads: there is none. */
static u32 first_sleeper(struct trust *x)
{
	const struct graph *g = &x->graph;
	u32 first = g->nthreads;
	u64 deadline = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = graph_is_alive(g, t) ? label_of(x, t) : NULL;

		if (x->answer != ANSWER_LABEL || (l && is_no_time(l)))
			return g->nthreads;
		if (!l || !label_deadline(l) || trust_waits_again(x, t) ||
			(first < g->nthreads && label_deadline(l) >= deadline))
			continue;
		first = t;
		deadline = label_deadline(l);
	}
	return first;
}

bool trust_time_reaches(struct trust *x, u32 t)
{
	struct graph *g = &x->graph;
	u16 causes[GRAPH_THREADS];
	bool came = false;
	u32 n = 0;

	for (u32 u = 0; u < g->nthreads; u++) {
		u32 e = graph_has_thread(g, u) ? last_event(x, u, &came) : 0;

		if (x->answer != ANSWER_LABEL || came || (e && trust_signal_came(x, u)))
			return false;
		if (e)
			causes[n++] = (u16)e;
	}
	forward_time(x, t, advance_to(g, label_deadline(label_of(x, t))), causes, n);
	return true;
}

bool trust_time_passes(struct trust *x)
{
	u32 t = first_sleeper(x);

	return t < x->graph.nthreads && trust_leaf(x) == LEAF_STUCK && trust_time_reaches(x, t);
}

/* --- signals in waits ------------------------------------------------------------------------- */

/* Had all threads waited when time advanced to this event's? Not, if others had reached it. */
static bool is_pause(const struct graph *g, u32 e)
{
	for (u32 i = g->place[0].reads; i; i = g->event[i].loc_prev)
		if (i != e && g->event[i].value >= g->event[e].value &&
			clock_has(g, graph_cause(g, e), i))
			return false;
	return g->event[e].type == LABEL_TIME;
}

/* Has the look e seen the arrivals while its thread waited? */
static bool came_late(const struct graph *g, u32 e)
{
	const u16 *before = graph_cause(g, g->event[e].po_prev), *now = graph_cause(g, e);

	for (u32 i = g->place[0].reads; i; i = g->event[i].loc_prev)
		if (clock_has(g, now, i) && !clock_has(g, before, i) && is_pause(g, i))
			return true;
	return false;
}

u64 trust_choices(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e);
	u64 call;

	if (likely(l->op != LABEL_CAME) || !graph_has_time(g))
		return l->value;
	for (u32 i = g->event[e].po_prev; i; i = g->event[i].po_prev) {
		call = call_of(x, i);
		if (call && call < l->expected)
			break;
		if (call == l->expected && g->event[i].flags & E_READ && came_late(g, i))
			return 1;
	}
	return l->value;
}
