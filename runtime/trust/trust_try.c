/* SPDX-License-Identifier: ISC */
/*
 * trust_try.c - building a given graph (trust.h): is each of its events possible?
 *
 * The explorer offers only events that coherence and atomicity allow; a caller's own choices are
 * checked here. The graph is the explorer's: save it before, and restore it.
 */
#include "trust/trust_priv.h"

void trust_empty(struct trust *x)
{
	struct graph *g = &x->graph;

	graph_init(g, x->graph_memory, g->model, g->lanes, g->places);
	g->nthreads = 1;
	g->thread[0].node = cache_root(0);
	x->answer = ANSWER_LABEL;
}

bool trust_ready(struct trust *x, u32 t)
{
	enum thread_state s;

	if (t >= x->graph.nthreads || trust_polls_fruitlessly(x, t))
		return false;
	s = trust_plain_state(x, t);
	return s == THREAD_READY ||
	       (s == THREAD_JOINING && x->graph.thread[label_of(x, t)->other].ended);
}

/* Does the clock contain a write newer than w, so that an event with this clock can neither read
 * from w nor follow it in co? */
static bool is_hidden(const struct graph *g, const u16 *clock, u32 loc, u32 w)
{
	for (u32 v = g->place[loc].co_last; v && v != w; v = g->event[v].co_prev)
		if (graph_known(g, clock, loc, v))
			return true;
	return false;
}

bool trust_add_consistent(struct trust *x, u32 t, u32 choice, bool rare)
{
	struct graph *g = &x->graph;
	const struct label *l = label_of(x, t);
	u32 first = g->n + 1, loc;

	if (!l)
		return false;
	loc = l->loc;
	if (label_reads(l) || l->type == LABEL_WRITE || l->type == LABEL_PLAIN_WRITE) {
		u32 last = g->thread[t].last;

		graph_know_place(g, loc);
		if (choice > g->n || (choice && !(g->event[choice].flags & E_WRITE)) ||
			(last && is_hidden(g, graph_hb(g, last), loc, choice)))
			return false;
		if (!label_reads(l) && consumed(g, choice, loc))
			return false;
	}
	if (!trust_add(x, t, choice, rare))
		return false;
	for (u32 e = first; e <= g->n; e++)
		if (g->event[e].flags & (E_READ | E_WRITE) && !graph_consistent(g, e, 0))
			return false;
	return true;
}
