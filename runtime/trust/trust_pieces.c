/* SPDX-License-Identifier: ISC */
/*
 * trust_pieces.c - atomic accesses of several locations (model/graph.h, "Pieces") in the
 * exploration.
 *
 * Idea.   A store is one event of TruSt with a place in co for each piece; it tries all
 *         combinations. A load, or the read of an RMW, is one event for each piece, which comes
 *         directly after the one before it: a revisit may take any of them, the pieces before it
 *         keep what they read, and those after it are added again, at once (partial reads). Pieces
 *         that are added together try all combinations of sources. Combinations are tried in the
 *         order of an odometer whose last digit is the last piece.
 * Canonical is to read the co-last writes of all pieces; after a piece that reads an older write,
 *         the others have no choice of their own: each reads the newest write with which the access
 *         is still atomic. One always exists, because the load has a place in the total order of
 *         accesses.
 * Hanging The thread of an RMW whose write is impossible, because another RMW has taken one of its
 *         sources, hangs; the other threads continue, as one of them may revisit a later piece of
 *         its read, so that it displaces the other RMW, or fails. Where RMWs of different ranges
 *         take sources from each other, each may hang in favour of a later one. Such graphs are not
 *         executions. Hanging is canonical where the write is impossible. A CAS hangs, too, if its
 *         memory order depends on success and is impossible with each source of its last piece.
 * State. The choices tried are kept in the last of the events that were added together.
 */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"

/* The first of the pieces that were added together with e, the last of them. */
static u32 first_together(const struct graph *g, u32 e)
{
	while (e > 1 && g->event[e].po_prev == e - 1 &&
		gevent_same_half(&g->event[e - 1], &g->event[e]))
		e--;
	return e;
}

static u32 next_piece(const struct graph *g, u32 i)
{
	return g->event[i].po_next;
}

/* --- reads ----------------------------------------------------------------------------------- */

static void read_co_last(struct graph *g, u32 first, u32 last)
{
	for (u32 i = first; i <= last; i++)
		graph_set_source(g, i, g->place[g->event[i].loc].co_last);
}

/* Events of the label's pieces, but the first `done` ones; they read the co-last writes. Returns
 * the first. */
static u32 push_reads(struct trust *x, u32 t, const struct label *l, u32 done)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, first = g->n + 1, n;
	struct label part = *l;
	u16 piece[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	for (u32 i = done; i < n; i++) {
		part.loc = piece[i];
		graph_push(g, t, &part, node, E_READ | E_PIECE);
	}
	read_co_last(g, first, g->n);
	return first;
}

/* Compute the effect of the sources of all pieces of e's half. */
static void set_reads(struct trust *x, u32 e, const struct label *l, struct effect f, u16 flags)
{
	struct graph *g = &x->graph;
	u32 end = graph_after_half(g, e);

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i)) {
		struct gevent *ev = &g->event[i];

		graph_changes(g, i);
		graph_set_flags(g, i, graph_read_flags(g->model, l, f.excl) | E_PIECE | flags);
		ev->value = graph_write_value(g, ev->rf, ev->loc);
		ev->stamp = ++x->stamp;
	}
	graph_clocks(g, e);
}

static u64 value_read(const struct trust *x, u32 e, const struct label *l)
{
	const struct graph *g = &x->graph;
	u32 end = graph_after_half(g, e), n = 0;
	u64 value[PIECES_MAX];

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i))
		value[n++] = graph_write_value(g, g->event[i].rf, g->event[i].loc);
	return place_join(g->places, l->loc, value);
}

static u32 count_pieces(const struct graph *g, u32 e)
{
	u32 end = graph_after_half(g, e), n = 0;

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i))
		n++;
	return n;
}

/* The writes of an RMW whose read is the last event of its thread; they have no places in co yet.
 * Returns the first. */
static u32 push_excl(struct trust *x, u32 read)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, read);
	u32 t = g->event[read].thread, node = g->thread[t].node, first = g->n + 1;
	u64 value = written_value(g, l, t, value_read(x, read, l));
	struct label part = *l;
	u16 piece[PIECES_MAX];
	u32 n = place_pieces(g->places, l->loc, piece);

	for (u32 i = 0; i < n; i++) {
		u32 e;

		part.loc = piece[i];
		e = graph_push(g, t, &part, g->event[read].node,
			graph_write_flags(g->model, l, true) | E_PIECE);
		g->event[e].value = place_split(g->places, l->loc, part.loc, value);
		g->event[e].stamp = ++x->stamp;
	}
	g->thread[t].node = node;
	graph_clocks(g, first);
	return first;
}

static void pop_down_to(struct graph *g, u32 first)
{
	while (g->n >= first)
		graph_pop(g);
}

/* As in trust_thread.c. */
static bool idle_pieces_fruitless(struct trust *x, u32 read, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 t = g->event[read].thread, node = g->thread[t].node, n = g->n;
	u64 v = value_read(x, read, l);
	bool result;

	if (written_value(g, l, t, v) != v)
		return false;
	push_excl(x, read);
	result = trust_blocked_read(x, t);
	pop_down_to(g, n + 1);
	g->thread[t].node = node;
	return result;
}

bool pieces_take_value(struct trust *x, u32 e, bool rare)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e);
	u32 t = g->event[e].thread;
	struct effect f = effect_of(l, t, value_read(x, e, l), rare);

	set_reads(x, e, l, f, rare ? E_RARE : 0);
	step_to(x, t, g->event[e].node, f.key);
	return f.excl ? !idle_pieces_fruitless(x, e, l) : !trust_blocked_read(x, t);
}

bool pieces_all_co_last(const struct graph *g, u32 e)
{
	u32 end = graph_after_half(g, e);

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i)) {
		if (g->event[i].rf != g->place[g->event[i].loc].co_last)
			return false;
	}
	return true;
}

/* Has another RMW taken a source of the RMW? */
static bool is_source_taken(const struct graph *g, u32 e)
{
	u32 end = graph_after_half(g, e);

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i)) {
		if (consumed(g, g->event[i].rf, g->event[i].loc))
			return true;
	}
	return false;
}

/* The next combination of sources; coherence allows each by itself. */
static bool turn_sources(struct graph *g, u32 first, u32 last)
{
	const u16 *clock = clock_before(g, graph_half_first(g, first));

	for (u32 i = last; i >= first; i--) {
		const struct gevent *ev = &g->event[i];

		if (graph_known(g, clock, ev->loc, ev->rf))
			continue;
		graph_set_source(g, i, g->event[ev->rf].co_prev);
		read_co_last(g, i + 1, last);
		return true;
	}
	return false;
}

bool pieces_fail_rarely(struct trust *x, u32 e, u32 changed)
{
	const struct gevent *ev = &x->graph.event[e];

	if (!(trust_label(x, e)->flags & LABEL_WEAK) || ev->flags & E_RARE ||
		!(ev->flags & E_EXCL) || !trust_rare_allowed(x))
		return false;
	return pieces_take_value(x, e, true) &&
	       graph_consistent(&x->graph, changed, changed == e ? 0 : e);
}

static void set_event_flags(struct trust *x, u32 e, u16 flags)
{
	struct graph *g = &x->graph;
	u32 end = graph_after_half(g, e);

	for (u32 i = graph_half_first(g, e); i != end; i = next_piece(g, i)) {
		graph_changes(g, i);
		graph_set_flags(g, i, flags | E_PIECE);
		g->event[i].value = graph_write_value(g, g->event[i].rf, g->event[i].loc);
	}
	graph_clocks(g, e);
	g->thread[g->event[e].thread].node = g->event[e].node;
}

void pieces_set_partial(struct trust *x, u32 e)
{
	const struct model *m = x->graph.model;
	const struct label *l = trust_label(x, e);

	set_event_flags(x, e, graph_read_flags(m, l, false) & graph_read_flags(m, l, true));
}

bool pieces_could_read(struct trust *x, u32 e)
{
	const struct label *l = trust_label(x, e);
	struct effect f;

	if (pieces_partial(x, e)) {
		pieces_set_partial(x, e);
	} else {
		f = effect_of(l, x->graph.event[e].thread, value_read(x, e, l), false);
		set_event_flags(x, e, graph_read_flags(x->graph.model, l, f.excl));
	}
	return graph_consistent(&x->graph, e, 0);
}

bool pieces_could_complete(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e);
	bool found = pieces_could_read(x, e);
	u32 first;

	if (!found || !pieces_partial(x, e) || l->type != LABEL_CAS || l->order == l->fail)
		return found;
	first = push_reads(x, g->event[e].thread, l, count_pieces(g, e));
	do
		found = pieces_could_read(x, e);
	while (!found && turn_sources(g, first, g->n));
	pop_down_to(g, first);
	return found;
}

void pieces_wait_there(struct trust *x, u32 e, u8 state)
{
	struct graph *g = &x->graph;

	set_reads(x, e, trust_label(x, e), (struct effect){.ready = false}, E_WAIT);
	g->event[graph_half_last(g, e)].state = state;
	g->thread[g->event[e].thread].node = g->event[e].node;
}

/* Could e, the last piece, read a newer write if the other pieces keep their sources? */
static bool reads_newest(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	u32 w = g->event[e].rf;
	bool newer = false;

	for (u32 v = g->place[g->event[e].loc].co_last; v != w && !newer; v = g->event[v].co_prev) {
		graph_set_source(g, e, v);
		newer = pieces_could_read(x, e);
	}
	graph_set_source(g, e, w);
	return !newer;
}

bool pieces_waits_for_last(struct trust *x, u32 e)
{
	if (!reads_newest(x, e))
		return false;
	pieces_wait_there(x, e, STATE_WAIT_MARK);
	if (graph_consistent(&x->graph, e, 0))
		return true;
	x->graph.event[e].state = STATE_FRESH;
	return false;
}

/* The next combination with which the thread of e, the last piece, makes progress, or waits for a
 * revisit of it. */
static bool older_sources(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;

	while (turn_sources(g, first_together(g, e), e)) {
		trust_make_room(x);
		if (!pieces_take_value(x, e, false)) {
			if (x->answer != ANSWER_LABEL)
				return false;
			if (pieces_waits_for_last(x, e))
				return true;
			continue;
		}
		if ((g->event[e].flags & E_EXCL && is_source_taken(g, e)) ||
			graph_consistent(g, e, 0) ||
			pieces_hang_by_order(x, e, e) || pieces_fail_rarely(x, e, e))
			return true;
	}
	return false;
}

static bool next_sources(struct trust *x, u32 e)
{
	struct gevent *ev = &x->graph.event[e];
	bool waits = ev->state == STATE_WAIT_LEAF || ev->state == STATE_WAIT_MARK;

	if (pieces_hung_by_order(&x->graph, e))
		pieces_take_value(x, e, false);
	ev->state = STATE_FRESH;
	return (!waits && pieces_fail_rarely(x, e, e)) || older_sources(x, e);
}

bool pieces_forward_wait(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 first = push_reads(x, t, l, 0), last = g->n;

	set_reads(x, first, l, (struct effect){.ready = false}, 0);
	if (!older_sources(x, last)) {
		pop_down_to(g, first);
		return false;
	}
	read_co_last(g, first, last);
	pieces_wait_there(x, last, STATE_WAIT_LEAF);
	return true;
}

const struct label *pieces_label_after(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 n, node = g->thread[t].node, next, before = g->n;
	u16 piece[PIECES_MAX];
	u64 value[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	for (u32 i = 0; i < n; i++)
		value[i] = graph_write_value(
			g, piece[i] < g->nplaces ? g->place[piece[i]].co_last : 0, piece[i]);
	next = cache_child(
		&x->cache, node, effect_of(l, t, place_join(g->places, l->loc, value), false).key);
	if (x->cache.node[next].label.type == LABEL_UNKNOWN || x->no_cache) {
		pieces_take_value(x, push_reads(x, t, l, 0), false);
		pop_down_to(g, before + 1);
	}
	return &x->cache.node[next].label;
}

bool pieces_ready(struct trust *x, u32 t, const struct label *l)
{
	return !label_blocked_read(pieces_label_after(x, t, l));
}

/* --- partial reads --------------------------------------------------------------------------- */

bool pieces_partial(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	u16 piece[PIECES_MAX];

	return g->event[e].flags & E_READ &&
	       count_pieces(g, e) < place_pieces(g->places, trust_label(x, e)->loc, piece);
}

bool pieces_complete(struct trust *x, u32 t)
{
	struct graph *g = &x->graph;
	u32 e = g->thread[t].last;

	pieces_set_partial(x, e); /* it may have waited */
	push_reads(x, t, trust_label(x, e), count_pieces(g, e));
	e = g->n;
	trust_make_room(x);
	if (!pieces_take_value(x, e, false)) {
		if (x->answer != ANSWER_LABEL)
			return false;
		if (!pieces_all_co_last(g, e))
			return pieces_waits_for_last(x, e) || next_sources(x, e);
		pieces_wait_there(x, e, STATE_WAIT_MARK);
		return true;
	}
	return (g->event[e].flags & E_EXCL && is_source_taken(g, e)) || graph_consistent(g, e, 0) ||
	       pieces_hang_by_order(x, e, e) || next_sources(x, e);
}

/* All choices of the write have been tried except that its read hangs: is that possible? */
static bool may_hang(const struct graph *g, u32 w)
{
	const struct gevent *e = &g->event[w];

	return e->flags & E_EXCL && e->flags & E_WRITE &&
	       (g->places->contended || !graph_in_co(g, w));
}

bool pieces_pop(struct trust *x)
{
	struct graph *g = &x->graph;
	u32 first = first_together(g, g->n), before = g->event[first].po_prev;
	bool more = gevent_same_half(&g->event[before], &g->event[first]);
	bool hangs = may_hang(g, first);

	pop_down_to(g, first);
	if (more)
		pieces_set_partial(x, before);
	if (!hangs || g->n <= x->base || !graph_consistent(g, before, 0))
		return false;
	g->event[before].state = STATE_HANGS;
	g->event[before].cursor = (u16)g->n; /* until that event changes */
	return true;
}

/* --- writes ---------------------------------------------------------------------------------- */

static void forward_write(struct trust *x, u32 t, const struct label *l)
{
	struct graph *g = &x->graph;
	u32 node = g->thread[t].node, first = g->n + 1, n;
	struct label part = *l;
	u16 piece[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	for (u32 i = 0; i < n; i++) {
		u32 e;

		part.loc = piece[i];
		e = graph_push(g, t, &part, node, graph_write_flags(g->model, l, false) | E_PIECE);
		g->event[e].value = place_split(g->places, l->loc, piece[i], l->value);
		g->event[e].stamp = ++x->stamp;
		graph_co_insert(g, e, g->place[piece[i]].co_last);
	}
	graph_clocks(g, first);
	step_to(x, t, node, 0);
}

bool pieces_forward(struct trust *x, u32 t, const struct label *l)
{
	if (l->type == LABEL_WRITE) {
		forward_write(x, t, l);
		return true;
	}
	push_reads(x, t, l, 0);
	return pieces_take_value(x, x->graph.n, false) ||
	       (x->answer == ANSWER_LABEL && next_sources(x, x->graph.n));
}

bool pieces_forward_excl(struct trust *x, u32 read)
{
	struct graph *g = &x->graph;
	bool taken = is_source_taken(g, read), last = true;
	u32 first = push_excl(x, read);

	g->event[g->n].state = STATE_REVISITS;
	g->event[g->n].cursor = (u16)(first - 1);
	if (taken)
		return false;
	for (u32 w = first; w <= g->n; w++) {
		graph_co_insert(g, w, g->event[graph_read_of(g, w)].rf);
		last &= !g->event[w].co_next;
	}
	if (last || graph_consistent(g, first, 0))
		return true;
	for (u32 w = first; w <= g->n; w++)
		graph_co_remove(g, w);
	return false;
}

static void put_event_last(struct graph *g, u32 e)
{
	graph_co_remove(g, e);
	graph_co_insert(g, e, g->place[g->event[e].loc].co_last);
}

bool pieces_turn_places(struct trust *x, u32 last)
{
	struct graph *g = &x->graph;
	u32 first = graph_half_first(g, last), before;

	if (g->event[last].flags & E_EXCL)
		return false;
	for (u32 i = last; i >= first; i--) {
		if (!trust_earlier_place(g, i, &before))
			continue;
		graph_co_remove(g, i);
		graph_co_insert(g, i, before);
		for (u32 j = i + 1; j <= last; j++)
			put_event_last(g, j);
		graph_changes(g, first);
		for (u32 j = first; j <= last; j++)
			g->event[j].stamp = ++x->stamp;
		return true;
	}
	return false;
}

/* --- back ------------------------------------------------------------------------------------ */

static bool next_place(struct trust *x, u32 e)
{
	while (pieces_turn_places(x, e)) {
		if (graph_consistent(&x->graph, e, 0))
			return true;
	}
	return false;
}

bool pieces_advance(struct trust *x, u32 e)
{
	struct gevent *ev = &x->graph.event[e];

	if (ev->flags & E_READ)
		return next_sources(x, e);
	if (ev->state == STATE_PLACES) {
		u32 r = ev->cursor;
		bool piece = x->graph.event[r].flags & E_PIECE;

		if (piece && pieces_hung_by_order(&x->graph, r)) {
			pieces_take_value(x, r, false);
			x->graph.event[r].state = STATE_FRESH;
		}
		if (piece ? !pieces_partial(x, r) && pieces_fail_rarely(x, r, e)
			  : trust_rare_failure(x, r, e))
			return true;
		return x->answer == ANSWER_LABEL && pieces_next_fitting(x, r, e);
	}
	if (ev->state != STATE_REVISITS) {
		if (next_place(x, e))
			return true;
		ev->state = STATE_REVISITS;
		ev->cursor = (u16)(graph_half_first(&x->graph, e) - 1);
	}
	return trust_next_revisit(x, e);
}

/* --- an access at a time --------------------------------------------------------------------- */

bool trust_add_pieces(struct trust *x, u32 t, const u32 *choice, bool rare)
{
	struct graph *g = &x->graph;
	const struct label *l = trust_next(x, t);
	u32 first = g->n + 1, n;
	u16 piece[PIECES_MAX];

	n = place_pieces(g->places, l->loc, piece);
	for (u32 i = 0; i < n; i++) {
		const struct gevent *w = &g->event[choice[i]];

		graph_know_place(g, piece[i]);
		if (choice[i] && (choice[i] > g->n || !(w->flags & E_WRITE) || w->loc != piece[i]))
			return false;
	}
	if (l->type == LABEL_WRITE) {
		forward_write(x, t, l);
		for (u32 i = 0; i < n; i++) {
			graph_co_remove(g, first + i);
			graph_co_insert(g, first + i, choice[i]);
		}
		return true;
	}
	push_reads(x, t, l, 0);
	for (u32 i = 0; i < n; i++)
		graph_set_source(g, first + i, choice[i]);
	pieces_take_value(x, first, rare && value_read(x, first, l) == l->expected);
	if (x->answer != ANSWER_LABEL || !(g->event[first].flags & E_EXCL) ||
		pieces_forward_excl(x, first))
		return true;
	pop_down_to(g, first);
	return false;
}
