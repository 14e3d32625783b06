/* SPDX-License-Identifier: ISC */
/*
 * rf_stuck.c - can threads that wait in spin loops wait for ever?
 *
 * They do if each sees the last write in every iteration, and keeps spinning. Reads-from does not
 * determine the last write: several may be the last, in different schedules, one of each writing
 * thread. So each write that keeps a thread spinning is tried, by an instance with one more thread,
 * which reads at the very end.
 */
#include "rf/rf_priv.h"

#define TRIES 256 /* questions */

/* The writes to be the last, of locations on which threads spin. */
struct last {
	u32 n;
	u32 loc[GRAPH_THREADS * 2], write[GRAPH_THREADS * 2];
	u32 tries;
};

/* Require that w is the last write of its location. False: another write is required to be, or w's
 * own thread has a later one. */
static bool demand_last(const struct graph *g, struct last *d, u32 loc, u32 w)
{
	for (u32 v = w ? g->event[w].co_next : g->place[loc].co_first; v; v = g->event[v].co_next)
		if (!w || g->event[v].thread == g->event[w].thread)
			return false;
	for (u32 i = 0; i < d->n; i++)
		if (d->loc[i] == loc)
			return d->write[i] == w;
	if (d->n == array_size(d->loc))
		return false;
	d->loc[d->n] = loc;
	d->write[d->n++] = w;
	return true;
}

/* The last `reads` reads of thread t are an iteration of its loop: require that they read the last
 * writes. */
static bool demand_last_reads(struct rf *x, struct last *d, u32 t, u64 reads)
{
	const struct graph *g = &x->trust->graph;

	for (u32 e = g->thread[t].last; e && reads; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (!(ev->flags & E_READ) || ev->flags & E_WAIT)
			continue;
		if (!place_is_tally(g->places, ev->loc) &&
			(ev->flags & E_RARE || !demand_last(g, d, ev->loc, ev->rf)))
			return false;
		reads--;
	}
	return true;
}

/* Thread t reads w next, and keeps spinning: require that w and the sources of its iteration are
 * the last writes. */
static bool demand_wait(struct rf *x, struct last *d, u32 t, const struct label *l, u32 w)
{
	const struct label *next;

	if (!demand_last(&x->trust->graph, d, l->loc, w))
		return false;
	next = trust_label_after(x->trust, t, l, w);
	return next->type == LABEL_SPIN && next->value &&
	       demand_last_reads(x, d, t, next->value - 1);
}

/* Has the whole execution, with another thread that reads these writes when all stores are in
 * memory, a schedule? */
static bool is_stuck_possible(struct rf *x, const struct last *d)
{
	struct rf_priv *p = x->priv;
	const struct graph *g = &x->trust->graph;
	u32 end[GRAPH_THREADS], first = 0;

	if (g->nthreads == GRAPH_THREADS) {
		x->trust->bounded |= TRUST_HARD;
		return false;
	}
	rf_instance(x);
	for (u32 e = 1; e <= g->n; e++)
		rf_push(x, e);
	for (u32 t = 0; t < g->nthreads; t++)
		end[t] = verify_push(&p->verify, t, 0, E_FENCE | E_FULL);
	for (u32 i = 0; i < d->n; i++) {
		u32 v = verify_push(&p->verify, g->nthreads, d->loc[i], E_READ);

		verify_source(&p->verify, v, d->write[i] ? p->pushed[d->write[i]] : 0);
		p->name[v] = 0;
		first = first ? first : v;
	}
	for (u32 t = 0; t < g->nthreads; t++) {
		p->name[end[t]] = 0;
		if (first)
			verify_order(&p->verify, end[t], first);
	}
	for (u32 e = 1; e <= g->n; e++)
		rf_connect(x, e);
	x->asked++;
	switch (verify_decide(&p->verify)) {
	case VERIFY_YES: return true;
	case VERIFY_NO: return false;
	default:
		x->undecided++;
		x->trust->bounded |= TRUST_HARD;
		return false;
	}
}

/* Can all threads from t on wait for ever? */
static bool wait_for_ever(struct rf *x, u32 t, struct last *d)
{
	const struct graph *g = &x->trust->graph;
	const struct label *l;
	struct last now = *d;

	if (t == g->nthreads)
		return ++d->tries <= TRIES && is_stuck_possible(x, d);
	l = &x->trust->cache.node[g->thread[t].node].label;
	if (!graph_is_alive(g, t) || l->type == LABEL_END)
		return wait_for_ever(x, t + 1, d);
	if (label_is_last(l))
		return false;
	if (l->type == LABEL_SPIN)
		return demand_last_reads(x, d, t, l->value) && wait_for_ever(x, t + 1, d);
	if (l->type != LABEL_READ && l->type != LABEL_RMW && l->type != LABEL_CAS)
		return wait_for_ever(x, t + 1, d);
	for (u32 w = g->place[l->loc].co_last;; w = g->event[w].co_prev) {
		now.tries = d->tries;
		*d = now;
		if (demand_wait(x, d, t, l, w) && wait_for_ever(x, t + 1, d))
			return true;
		if (!w || d->tries > TRIES)
			return false;
	}
}

bool rf_is_stuck(struct rf *x)
{
	struct rf_priv *p = x->priv;
	struct last d = {.n = 0};
	u32 n;

	rf_note_accesses(x);
	if (!wait_for_ever(x, 0, &d)) {
		x->trust->bounded |= d.tries > TRIES ? TRUST_HARD : 0;
		return false;
	}
	if (!d.n)
		return true;
	n = rf_plain_order(x, x->trust->graph.n + 1, 0, p->order);
	n += rf_witness_order(x, p->order + n);
	rf_put_co(x, p->order, n);
	return true;
}
