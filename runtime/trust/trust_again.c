/* SPDX-License-Identifier: ISC */
/*
 * trust_again.c - iterations of loops that restore the state, but could have been observed
 * (label.again).
 *
 * Idea.   A thread that takes a lock, reads, and releases it again only waits; but other threads
 *         may have found the lock taken. If the iteration can be left out, and the outcome is the
 *         same, it is made once, and the thread continues only after an event of another thread
 *         that is impossible without it. So the number of iterations is bounded by the number of
 *         other threads' events.
 * Matters An iteration matters to an event of another thread that reads one of its writes, or that
 *         is, or reads, a write between them in co. It does not matter to a reader of its last
 *         write, if the first write is an RMW's and the last restores the value that this RMW read:
 *         without the iteration, the reader reads from the RMW's source. Happens-before does not
 *         grow thereby: the last write releases what the first RMW acquired, or all are RMWs of the
 *         same release sequence, or the model orders by po, rf and co alone, and co leads from one
 *         write to the other; of models in files: cat/analysis.h. All other relations without the
 *         iteration are those with it, restricted to the remaining events.
 * Sums.   Additions in between may not notice it: trust_sum.c.
 * Mutual. An event in the last iteration of its thread, if that does not matter itself, does not
 *         count: both iterations can be left out. Within an iteration this is not known yet; so a
 *         thread that has completed one continues only when no other can (THREAD_AGAIN).
 * Ever.   Threads wait for ever only if each of them would without the other's iterations, and with
 *         any of their writes: what an iteration takes back is not what the other waits for. Where
 *         that is not known, x->lockstep, there is no finding, but a search for a state cycle.
 * Causes. Where the graph is cut, a thread that has continued needs an event to which its iteration
 *         matters and that it did not cause itself: such an event counts as a cause
 *         (trust_close()), though it does not happen before. Any one suffices, so none prevents a
 *         revisit.
 * Late    events, which it causes itself: trust_late.c.
 * After   dynamic-spin-assume, Kokologiannakis et al., FMCAD 2021.
 */
#include "trust/trust_priv.h"

static bool is_step(const struct gevent *e)
{
	return !(e->flags & E_WAIT || (e->flags & E_WRITE && e->flags & E_EXCL));
}

/* The iteration of so many steps that ends with e. */
struct trust_iteration trust_iteration_until(const struct graph *g, u32 e, u32 steps)
{
	struct trust_iteration a = {g->event[e].thread, g->event[e].index + 1u, g->event[e].index};

	for (; e && steps; e = g->event[e].po_prev) {
		a.first = g->event[e].index;
		steps -= is_step(&g->event[e]);
	}
	return a;
}

struct trust_iteration trust_last_iteration(const struct graph *g, u32 t, u32 steps)
{
	return trust_iteration_until(g, g->thread[t].last, steps);
}

/* The events searched for. */
struct again_search {
	const struct trust *x;
	const struct trust_iteration *a;
	u64 passed; /* threads whose last iterations matter only if this one does */
	const struct trust_seen *seen; /* NULL: any */
	bool sure; /* no write that may be elsewhere in co */
};

static u32 find_observer(const struct again_search *s);

/* Does the iteration matter to the event e of another thread? Not if e is part of an iteration that
 * does not matter itself. */
static bool matters_to(const struct trust *x, u32 e, u64 passed)
{
	u32 t = x->graph.event[e].thread, steps = trust_again_of(x, t);
	struct trust_iteration a;

	if (!steps)
		return true;
	a = trust_last_iteration(&x->graph, t, steps);
	if (!iteration_has(&a, &x->graph.event[e]))
		return true;
	return !(passed >> t & 1) &&
	       find_observer(&(struct again_search){x, &a, passed, NULL, false});
}

static bool is_event_wanted(const struct again_search *s, u32 e)
{
	const struct graph *g = &s->x->graph;
	const struct trust_seen *seen = s->seen;

	if (!seen)
		return true;
	if ((seen->before && clock_has(g, graph_cause(g, e), seen->before)) ||
		(seen->without && clock_has(g, graph_cause(g, e), seen->without)))
		return false;
	return !seen->clock || e < seen->from || clock_has(g, seen->clock, e);
}

/* *first is the first event of another thread that matters and is wanted, among those tried. */
static void try_event(const struct again_search *s, u32 *first, u32 e)
{
	if (s->x->graph.event[e].thread != s->a->thread && (!*first || e < *first) &&
		is_event_wanted(s, e) && matters_to(s->x, e, s->passed))
		*first = e;
}

static void try_readers(const struct again_search *s, u32 *first, u32 w)
{
	const struct gevent *event = s->x->graph.event;

	for (u32 r = event[w].readers; r; r = event[r].reader_next)
		if (!(event[r].flags & E_WAIT))
			try_event(s, first, r);
}

/* --- the writes of an iteration to a location
 * ------------------------------------------------------- */

struct trust_written trust_written_at(const struct graph *g, const struct trust_iteration *a, u32 e)
{
	struct trust_written w = {0, 0, true};

	for (u32 loc = g->event[e].loc; e; e = g->event[e].po_prev) {
		if (!iteration_has(a, &g->event[e]))
			break;
		if (!(g->event[e].flags & E_WRITE) || g->event[e].loc != loc)
			continue;
		w.excl &= (g->event[e].flags & E_EXCL) != 0;
		w.last = w.last ? w.last : e;
		w.first = e;
	}
	return w;
}

bool trust_is_ordered(const struct graph *g, const struct trust_written *w)
{
	bool orders = g->model->has_clocks && !g->model->has_store_fences &&
		      !(unlikely(g->model->is_file) && cat_shrinks(g));

	return !orders || w->excl ||
	       (g->event[w->first].flags & E_EXCL &&
		       g->event[g->event[w->first].po_prev].flags & E_ACQUIRE &&
		       g->event[w->last].flags & E_RELEASE);
}

/* Would a reader of the last write read the same without the iteration: the value before it, with
 * at least the happens-before edges of that? */
static bool is_restored(const struct graph *g, const struct trust_written *w)
{
	u32 read = g->event[w->first].po_prev, loc = g->event[w->last].loc;

	return g->event[w->first].flags & E_EXCL && trust_is_ordered(g, w) &&
	       g->event[w->last].value == graph_write_value(g, g->event[read].rf, loc);
}

/* Could v, a write of another thread, be between the two? With reads-from equivalence, in some
 * co. */
static bool may_be_between(const struct graph *g, u32 v, const struct trust_written *w)
{
	return g->event[v].thread != g->event[w->first].thread &&
	       !clock_has(g, graph_cause(g, w->first), v) &&
	       !clock_has(g, graph_cause(g, v), w->last);
}

/* The number of iterations before this one that matter only because of writes that may be
 * between. */
static u32 unsure_iterations(const struct again_search *s)
{
	const struct trust *x = s->x;
	const struct graph *g = &x->graph;
	u32 n = 0;

	for (u32 e = g->thread[s->a->thread].last; e; e = g->event[e].po_prev) {
		struct trust_iteration a;

		if (g->event[e].index > s->a->first || !trust_is_again(x, e))
			continue;
		a = trust_iteration_until(g, g->event[e].po_prev, trust_label(x, e)->again);
		n += !find_observer(&(struct again_search){x, &a, s->passed, NULL, true});
	}
	return n;
}

/* With reads-from equivalence: each such write can be between the writes of only one iteration. */
static void try_between(const struct again_search *s, u32 *first, const struct trust_written *w)
{
	const struct graph *g = &s->x->graph;
	u32 n = 0, found = 0, loc = g->event[w->last].loc;

	for (u32 v = g->place[loc].co_first; v; v = g->event[v].co_next) {
		u32 one = 0;

		if (!may_be_between(g, v, w))
			continue;
		try_event(s, &one, v);
		n += one != 0;
		found = one && (!found || one < found) ? one : found;
	}
	if (n > unsure_iterations(s) && (!*first || found < *first))
		*first = found;
}

/* The same where all writes from the first to the last are additions whose sum is 0. */
static void try_minding(const struct again_search *s, u32 *first, const struct trust_written *w)
{
	const struct gevent *event = s->x->graph.event;

	for (u32 v = w->first; v != w->last; v = event[v].co_next)
		for (u32 r = event[v].readers; r; r = event[r].reader_next)
			if (!(event[r].flags & E_WAIT) && trust_minds(s->x, r))
				try_event(s, first, r);
}

/* Try the events that depend on the iteration's writes to this location. */
static void try_at(const struct again_search *s, u32 *first, const struct trust_written *w)
{
	const struct graph *g = &s->x->graph;
	bool between = unlikely(s->x->rf) && !w->excl && w->first != w->last;

	if (trust_adds_up(s->x, s->a, w)) {
		try_minding(s, first, w);
		return;
	}
	for (u32 v = w->first; v && v != w->last; v = g->event[v].co_next) {
		if (!between)
			try_event(s, first, v);
		try_readers(s, first, v);
	}
	if (!is_restored(g, w))
		try_readers(s, first, w->last);
	if (between && !s->sure)
		try_between(s, first, w);
}

/* Does the iteration write the location of e again, after e? */
static bool is_rewritten(const struct graph *g, const struct trust_iteration *a, u32 e)
{
	u32 loc = g->event[e].loc;

	while ((e = g->event[e].po_next) && iteration_has(a, &g->event[e]))
		if (g->event[e].flags & E_WRITE && g->event[e].loc == loc)
			return true;
	return false;
}

static u32 find_observer(const struct again_search *s)
{
	const struct graph *g = &s->x->graph;
	struct again_search in = *s;
	u32 first = 0, e = g->thread[s->a->thread].last;

	in.passed |= 1ull << s->a->thread;
	for (; e && g->event[e].index >= s->a->first; e = g->event[e].po_prev) {
		struct trust_written w;

		if (!iteration_has(s->a, &g->event[e]) || !(g->event[e].flags & E_WRITE) ||
			place_is_tally(g->places, g->event[e].loc) || is_rewritten(g, s->a, e))
			continue;
		w = trust_written_at(g, s->a, e);
		try_at(&in, &first, &w);
	}
	return first;
}

u32 trust_observer(
	const struct trust *x, const struct trust_iteration *a, const struct trust_seen *seen)
{
	return find_observer(&(struct again_search){x, a, 0, seen, false});
}

bool trust_waits_again(const struct trust *x, u32 t)
{
	u32 steps = trust_again_of(x, t);
	struct trust_iteration a;

	if (likely(!steps) || x->unrolls)
		return false;
	a = trust_last_iteration(&x->graph, t, steps);
	return !trust_observer(x, &a, NULL);
}

/* --- does it wait for ever? ------------------------------------------------------------------- */

/* Are all writes after w in co the thread's own, or made in iterations that do not matter? */
static bool is_last_of_others(const struct trust *x, u32 t, u32 w, u32 loc)
{
	const struct graph *g = &x->graph;

	for (w = w ? g->event[w].co_next : g->place[loc].co_first; w; w = g->event[w].co_next) {
		u32 u = g->event[w].thread;
		struct trust_iteration a = trust_last_iteration(g, u, trust_again_of(x, u));

		if (u != t && !iteration_has(&a, &g->event[w]))
			return false;
	}
	return true;
}

/* Does a thread wait at this place, or spin on it? */
static bool is_waited_for(const struct trust *x, u32 loc, u32 but)
{
	const struct graph *g = &x->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = &x->cache.node[g->thread[t].node].label;
		u64 reads = l->type == LABEL_SPIN ? l->value : 0;

		if (t == but || !graph_is_alive(g, t) || trust_again_of(x, t))
			continue;
		if (label_reads(l) && l->loc == loc)
			return true;
		for (u32 e = g->thread[t].last; e && reads; e = g->event[e].po_prev) {
			if (g->event[e].flags & E_READ && g->event[e].loc == loc)
				return true;
			reads -= (g->event[e].flags & E_READ) != 0;
		}
	}
	return false;
}

/* Is w a write on the way, which the last iteration of its thread takes back? */
static bool is_transient(const struct trust *x, u32 w)
{
	const struct graph *g = &x->graph;
	u32 u = g->event[w].thread;
	struct trust_iteration a;

	if (!w || !trust_again_of(x, u))
		return false;
	a = trust_last_iteration(g, u, trust_again_of(x, u));
	return iteration_has(&a, &g->event[w]) && is_rewritten(g, &a, w);
}

/* Has each read of the iteration that matters read the newest write? In lockstep threads read what
 * others take back. */
static bool looked_at_newest(const struct trust *x, const struct trust_iteration *a)
{
	const struct graph *g = &x->graph;

	for (u32 e = g->thread[a->thread].last; e && iteration_has(a, &g->event[e]);
		e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_READ && !(ev->flags & E_WAIT) &&
			!place_is_tally(g->places, ev->loc) &&
			((g->event[ev->rf].thread != a->thread && is_transient(x, ev->rf)) ||
				!is_last_of_others(x, a->thread, ev->rf, ev->loc)))
			return false;
	}
	return true;
}

/* Could the thread of the read e do otherwise if it read what others take back? Not if it would
 * wait. */
static bool may_see_transient(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u32 w = g->place[ev->loc].co_first;

	for (; w; w = g->event[w].co_next)
		if (g->event[w].thread != ev->thread && g->event[w].value != ev->value &&
			is_transient(x, w) &&
			effect_of(trust_label(x, e), ev->thread, g->event[w].value, false).ready)
			return true;
	return false;
}

bool trust_polls_fruitlessly(const struct trust *x, u32 t)
{
	u32 steps = trust_again_of(x, t);
	struct trust_iteration a;

	if (likely(!steps) || x->unrolls)
		return false;
	a = trust_last_iteration(&x->graph, t, steps);
	return !trust_observer(x, &a, NULL) && looked_at_newest(x, &a);
}

bool trust_polls_for_ever(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	struct trust_iteration a = trust_last_iteration(g, t, trust_again_of(x, t));

	for (u32 e = g->thread[t].last; e && iteration_has(&a, &g->event[e]);
		e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_RARE)
			return false;
		if (place_is_tally(g->places, ev->loc))
			continue;
		if ((ev->flags & E_WRITE && is_waited_for(x, ev->loc, t)) ||
			(ev->flags & E_READ && may_see_transient(x, e))) {
			x->lockstep = true;
			return false;
		}
	}
	return looked_at_newest(x, &a);
}

/* --- causes ----------------------------------------------------------------------------------- */

/* Not the write of an RMW, which has the same label: it is part of the next iteration. */
bool trust_is_again(const struct trust *x, u32 e)
{
	const u16 half = E_WRITE | E_EXCL;

	return trust_label(x, e)->again && !x->unrolls && (x->graph.event[e].flags & half) != half;
}

bool trust_close(const struct trust *x, u16 *clock, u32 from)
{
	const struct graph *g = &x->graph;
	bool more = x->polled;

	while (more) {
		u32 debts = 0;

		more = false;
		for (u32 e = 1; e <= g->n; e++) {
			struct trust_seen seen = {.before = e, .clock = clock, .from = from};
			struct trust_iteration a;
			u32 r;

			if ((e >= from && !clock_has(g, clock, e)) || !trust_is_again(x, e))
				continue;
			a = trust_iteration_until(g, g->event[e].po_prev, trust_label(x, e)->again);
			if (trust_observer(x, &a, &seen))
				continue;
			r = trust_observer(x, &a, &(struct trust_seen){e, from, NULL, 0});
			if (!r && (!x->late || ++debts > TRUST_DEBTS))
				return false;
			if (!r)
				continue;
			clock_join(clock, graph_cause(g, r), g->lanes);
			more = true;
		}
	}
	return true;
}
