/* SPDX-License-Identifier: ISC */
/* trust_race.c - data races and heap errors of an event, which end the execution. */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

/* The events that happen before e. A plain read, or a read from a plain write, orders nothing. */
static const u16 *ordered_by(const struct graph *g, const struct gevent *ev, u32 e)
{
	if (ev->flags & E_PLAIN || (ev->flags & E_READ && g->event[ev->rf].flags & E_PLAIN))
		return graph_hb(g, ev->po_prev);
	return graph_hb(g, e);
}

bool trust_passes(const struct trust *x, u32 e, u32 other)
{
	return x->program->passes &&
	       x->program->passes(x->program, trust_label(x, e), trust_label(x, other));
}

/* An event that conflicts with e and is not ordered with it, where one of the two is plain; or
 * 0. */
static u32 find_race(const struct trust *x, u32 e, bool all)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	const struct gplace *p = &g->place[ev->loc];
	const u16 *clock;
	u32 plain_write = 0;

	clock = ordered_by(g, ev, e);
	for (u32 w = p->co_last; w; w = g->event[w].co_prev) {
		bool plain = g->event[w].flags & E_PLAIN;

		if (w != e && (plain || ev->flags & E_PLAIN) && !clock_has(g, clock, w) &&
			(all || !trust_passes(x, e, w)))
			return w;
		if (w != e && plain && !x->lenient) {
			plain_write = w; /* older accesses were compared with it */
			break;
		}
	}
	if (!(ev->flags & E_WRITE))
		return 0;
	for (u32 r = p->reads; r > plain_write; r = g->event[r].loc_prev) {
		if (r != e && (g->event[r].flags | ev->flags) & E_PLAIN &&
			!clock_has(g, clock, r) && (all || !trust_passes(x, e, r)))
			return r;
	}
	return 0;
}

u32 trust_race(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];

	if (likely(!g->place[ev->loc].nplain) || !x->races || ev->flags & E_HEAP)
		return 0;
	return find_race(x, e, false);
}

void trust_refine(struct trust *x, u32 loc)
{
	x->program->refine(x->program, loc);
	x->answer = ANSWER_RESTART;
}

bool trust_races_at(struct trust *x, u32 e)
{
	enum leaf how;
	u32 other;

	if (unlikely(x->places->place[x->graph.event[e].loc].span) && find_race(x, e, true)) {
		trust_refine(x, x->graph.event[e].loc);
		return true;
	}
	other = trust_fault(x, e, &how);
	for (; unlikely(other); other = trust_fault(x, e, &how)) {
		if (x->awaiting && !await_leaf(x))
			return true;
		x->failing++;
		if (!x->program->leaf(
			    x->program, &x->graph, how, x->graph.event[e].thread, other))
			trust_stop(x);
		else if (x->answer == ANSWER_LABEL && trust_passes(x, e, other)) {
			x->failing--;
			continue;
		}
		return true;
	}
	return false;
}

bool trust_races_pieces(struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	u32 end;

	if (pieces_any_hang(g))
		return false;
	end = graph_after_half(g, e);
	for (e = graph_half_first(g, e); e != end; e = g->event[e].po_next) {
		if (trust_races_at(x, e))
			return true;
	}
	return false;
}
