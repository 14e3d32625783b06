/* SPDX-License-Identifier: ISC */
/*
 * trust_again.c - turns of loops that leave everything as it was, but could have been seen
 * (label.again).
 *
 * Idea.   A thread that takes a lock to look, and releases it again, waits; but others may have
 *         come to the lock in between, or after it. If no thread has read what the turn wrote, the
 *         execution without it is one, too, with the same outcome: the turn is made once and the
 *         thread goes on only when another one has. So a turn more takes an event of another thread
 *         more, of which there are so many.
 * Causes. Where the graph is cut, the thread that goes on needs the event that let it: it counts as
 *         one of its causes (gevent.round), though not as one that happens before.
 * After   dynamic-spin-assume, Kokologiannakis et al., FMCAD 2021.
 */
#include "trust/trust_priv.h"

/* The event before e in its thread that is a step: neither a mark nor the write of an RMW. */
static u32 step_before(const struct graph *g, u32 e)
{
	do
		e = g->event[e].po_prev;
	while (e && (g->event[e].flags & E_WAIT ||
			    (g->event[e].flags & E_WRITE && g->event[e].flags & E_EXCL)));
	return e;
}

static u32 last_step(const struct graph *g, u32 t)
{
	u32 e = g->thread[t].last;

	return e && (g->event[e].flags & E_WAIT ||
			    (g->event[e].flags & E_WRITE && g->event[e].flags & E_EXCL))
		       ? step_before(g, e)
		       : e;
}

/* Is e one of the last steps of thread t? */
static bool is_among_last(const struct graph *g, u32 t, u32 steps, u32 e)
{
	for (u32 i = last_step(g, t); i && steps; i = step_before(g, i), steps--)
		if (i == e)
			return true;
	return false;
}

static u32 again_of(const struct trust *x, u32 t)
{
	return graph_is_alive(&x->graph, t) ? x->cache.node[x->graph.thread[t].node].label.again
					    : 0;
}

static u32 observer(const struct trust *x, u32 t, u32 steps, u64 passed);

/* Does the read r make it matter that its source was written? Not as a part of a turn that does not
 * matter itself. */
static bool matters(const struct trust *x, u32 r, u64 passed)
{
	u32 t = x->graph.event[r].thread, again = again_of(x, t);

	if (!again || !is_among_last(&x->graph, t, again, r))
		return true;
	return !(passed >> t & 1) && observer(x, t, again, passed);
}

/* The first event of another thread that reads from w, and matters; 0: none. */
static u32 reader_of(const struct trust *x, u32 w, u64 passed)
{
	const struct gevent *event = x->graph.event;
	u32 first = 0;

	for (u32 r = event[w].readers; r; r = event[r].reader_next)
		if (event[r].thread != event[w].thread && !(event[r].flags & E_WAIT) &&
			(!first || r < first) && matters(x, r, passed))
			first = r;
	return first;
}

static u32 write_of(const struct graph *g, u32 e)
{
	return g->event[e].flags & E_WRITE ? e
	       : g->event[e].flags & E_READ && g->event[e].flags & E_EXCL ? g->event[e].po_next : 0;
}

static u32 observer(const struct trust *x, u32 t, u32 steps, u64 passed)
{
	const struct graph *g = &x->graph;
	u32 first = 0, r;

	for (u32 e = last_step(g, t); e && steps; e = step_before(g, e), steps--) {
		r = write_of(g, e) ? reader_of(x, write_of(g, e), passed | 1ull << t) : 0;
		if (r && (!first || r < first))
			first = r;
	}
	return first;
}

u32 trust_observer(const struct trust *x, u32 t, u32 steps)
{
	return observer(x, t, steps, 0);
}

bool trust_waits_again(const struct trust *x, u32 t)
{
	u32 again = again_of(x, t);

	return unlikely(again) && !x->unrolls && !trust_observer(x, t, again);
}

/* Are all writes behind w in co the thread's own, or made in turns that do not matter? */
static bool is_last_of_others(const struct trust *x, u32 t, u32 w, u32 loc)
{
	const struct graph *g = &x->graph;

	for (w = w ? g->event[w].co_next : g->place[loc].co_first; w; w = g->event[w].co_next) {
		u32 u = g->event[w].thread,
		    e = g->event[w].flags & E_EXCL ? g->event[w].po_prev : w;

		if (u != t && !is_among_last(g, u, again_of(x, u), e))
			return false;
	}
	return true;
}

/* Does a thread wait for something at this place, or look at it in vain? */
static bool is_waited_for(const struct trust *x, u32 loc, u32 but)
{
	const struct graph *g = &x->graph;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct label *l = &x->cache.node[g->thread[t].node].label;
		u64 reads = l->type == LABEL_SPIN ? l->value : 0;

		if (t == but || !graph_is_alive(g, t) || again_of(x, t))
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

bool trust_polls_for_ever(struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;
	u32 steps = again_of(x, t);

	for (u32 e = last_step(g, t); e && steps; e = step_before(g, e), steps--) {
		const struct gevent *ev = &g->event[e];

		if (ev->flags & E_RARE || (write_of(g, e) && is_waited_for(x, ev->loc, t)))
			return false;
		if (ev->flags & E_READ && !is_last_of_others(x, t, ev->rf, ev->loc))
			return false;
	}
	return true;
}

void trust_close(const struct trust *x, u16 *clock)
{
	const struct graph *g = &x->graph;
	bool more = x->polled;

	while (more) {
		more = false;
		for (u32 e = 1; e <= g->n; e++) {
			u32 cause = gevent_is_again(&g->event[e]) ? g->event[e].round : 0;

			if (!clock_has(g, clock, e) || clock_has(g, clock, cause))
				continue;
			clock_join(clock, graph_cause(g, cause), g->lanes);
			more = true;
		}
	}
}
