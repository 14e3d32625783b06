/* SPDX-License-Identifier: ISC */
/* trust_pieces_revisit.c - revisits where the write or the read has pieces (trust_pieces.c): which
 * are possible, and whether the events that they cut are canonical. */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

/* The piece at this location of the write whose last event is a; 0: none. */
static u32 piece_at(const struct graph *g, u32 a, u32 loc)
{
	for (u32 first = graph_half_first(g, a); a >= first; a--) {
		if (g->event[a].loc == loc)
			return a;
	}
	return 0;
}

/* Would a revisit of i by a keep a write that has taken a source of a's RMW? */
static bool taken_stays(const struct graph *g, u32 i, u32 a, const u16 *clock)
{
	if (!(g->event[a].flags & E_EXCL) || graph_in_co(g, a))
		return false;
	for (u32 w = graph_half_first(g, a); w <= a; w++) {
		u32 source = g->event[graph_read_of(g, w)].rf, loc = g->event[w].loc, taken;

		if (!consumed(g, source, loc))
			continue;
		taken = source ? g->event[source].co_next : g->place[loc].co_first;
		if (taken < i || clock_has(g, clock, taken))
			return true;
	}
	return false;
}

bool pieces_revisitable(const struct graph *g, u32 i, u32 a, const u16 *clock)
{
	return piece_at(g, a, g->event[i].loc) && !taken_stays(g, i, a, clock);
}

/* Is it consistent that r reads a piece of the write that ends with a and has its places in co?
 * Later pieces of r's access are added afterwards. */
static bool is_revisit_consistent(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;
	u32 w = piece_at(g, a, g->event[r].loc);
	const u16 *clock = clock_before(g, graph_half_first(g, r));
	bool ready;

	if (!(g->event[r].flags & E_PIECE))
		return trust_revisit_read(x, r, w) &&
		       (graph_consistent(g, a, r) || trust_rare_failure(x, r, a));
	for (u32 v = g->event[w].co_next; v; v = g->event[v].co_next) {
		if (graph_known(g, clock, g->event[r].loc, v))
			return false;
	}
	graph_set_source(g, r, w);
	pieces_set_partial(x, r);
	g->event[r].state = STATE_FRESH;
	if (pieces_partial(x, r))
		return graph_consistent(g, a, r);
	trust_make_room(x);
	ready = pieces_take_value(x, r, false);
	if (x->answer != ANSWER_LABEL)
		return false;
	if (!ready && !pieces_all_co_last(g, r))
		return pieces_waits_for_last(x, r) && graph_consistent(g, a, r);
	if (!ready)
		pieces_wait_there(x, r, STATE_WAIT_MARK);
	return graph_consistent(g, a, r) ||
	       (ready && (pieces_hang_by_order(x, r, a) || pieces_fail_rarely(x, r, a)));
}

bool pieces_next_fitting(struct trust *x, u32 r, u32 a)
{
	while (pieces_turn_places(x, a)) {
		if (is_revisit_consistent(x, r, a))
			return true;
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return false;
}

bool pieces_revisit(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;

	for (u32 w = graph_half_first(g, a); w <= a; w++) {
		u32 source = g->event[w].flags & E_EXCL ? g->event[graph_read_of(g, w)].rf
							: g->place[g->event[w].loc].co_last;

		if (g->event[w].flags & E_EXCL && consumed(g, source, g->event[w].loc))
			return false;
		graph_co_insert(g, w, source);
	}
	return is_revisit_consistent(x, r, a) ||
	       (x->answer == ANSWER_LABEL && pieces_next_fitting(x, r, a));
}

/* Is w one of the events before i, or a cause of the last event? */
static bool is_piece_among(const struct graph *g, u32 w, u32 i, const u16 *clock)
{
	return w < i || (!is_last_write(g, w) && clock_has(g, clock, w));
}

/* A name of a write that stays valid when the graph is cut. */
static u32 stable_name(const struct graph *g, u32 w)
{
	return w ? (u32)g->event[w].thread << 16 | g->event[w].index : 0;
}

/* The newest source of e, the last piece so far of an access, with which the access is consistent;
 * complete: also with some sources of the later pieces. False: there is none. */
static bool newest_source(struct trust *x, u32 e, bool complete, u32 *name)
{
	struct graph *g = &x->graph;
	u32 v = g->place[g->event[e].loc].co_last;
	bool found;

	for (;; v = g->event[v].co_prev) {
		graph_set_source(g, e, v);
		if (!complete)
			pieces_set_partial(x, e);
		found = complete ? pieces_could_complete(x, e) : graph_consistent(g, e, 0);
		if (found || !v)
			break;
	}
	*name = stable_name(g, v);
	return found;
}

/* Among the events before i and the causes of the last one: is w what i reads, in the access that
 * has its earlier pieces? */
static bool reads_canonically(struct trust *x, u32 i, u32 w)
{
	struct graph *g = &x->graph;
	struct aside *aside = trust_put_aside(x);
	u32 thread = g->event[i].thread, e, name = stable_name(g, w), newest;
	struct label l = *trust_label(x, i);
	bool result, hangs = g->event[i].state == STATE_HANGS && !(g->event[i].flags & E_EXCL);

	if (unlikely(!aside)) {
		x->bounded |= TRUST_DEPTH;
		return false;
	}
	l.loc = g->event[i].loc;
	graph_keep(g, i, graph_cause(g, g->event[graph_half_first(g, g->n)].po_prev));
	pieces_set_partial(x, g->thread[thread].last); /* it may have waited */
	e = graph_push(g, thread, &l, g->event[g->thread[thread].last].node, E_READ | E_PIECE);
	if (newest_source(x, e, true, &newest))
		result = newest == name && !hangs;
	else
		result = newest_source(x, e, false, &newest) && newest == name;
	trust_take_back(x, aside);
	return result;
}

/* Among the events below `from` and the causes of the last event: is the write possible whose read
 * ends with piece i? */
static bool could_write(struct trust *x, u32 i, u32 from)
{
	struct graph *g = &x->graph;
	struct aside *aside = trust_put_aside(x);
	u32 thread = g->event[i].thread, e;
	bool result;

	if (unlikely(!aside)) {
		x->bounded |= TRUST_DEPTH;
		return true;
	}
	graph_keep(g, from, graph_cause(g, g->event[graph_half_first(g, g->n)].po_prev));
	e = g->thread[thread].last;
	graph_clocks(g, e);
	result = pieces_forward_excl(x, e);
	trust_take_back(x, aside);
	return result;
}

bool pieces_could_write(struct trust *x, u32 i)
{
	const struct graph *g = &x->graph;
	u32 first = graph_half_first(g, i);

	return i != first || could_write(x, g->event[first].po_prev, first);
}

bool pieces_canonical(struct trust *x, u32 i, const u16 *clock)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[i];
	u32 w = ev->rf ? g->event[ev->rf].co_next : g->place[ev->loc].co_first;
	bool newest = true, first = graph_half_first(g, i) == i;

	if (ev->flags & E_RARE || !is_piece_among(g, ev->rf, i, clock))
		return false;
	if (unlikely(pieces_hung_by_order(g, i)) && !first)
		return reads_canonically(x, i, ev->rf);
	if (ev->state == STATE_HANGS && could_write(x, i, i + 1))
		return false;
	for (; w; w = g->event[w].co_next)
		newest &= !is_piece_among(g, w, i, clock);
	return newest || (!first && reads_canonically(x, i, ev->rf));
}
