/* SPDX-License-Identifier: ISC */
/*
 * trust_revisit.c - backward revisits: a write becomes the source of an earlier read, and the graph
 * is cut.
 *
 * A revisit is made only from the one graph in which the cut events are the canonical
 * continuation of the kept ones (maximality; POPL 2022, 3.2).
 */
#include "trust/trust_priv.h"
#include "trust/trust_pieces.h"
#include "trust/trust_symmetry.h"

/* --- canonical continuations ----------------------------------------------------------------- */

/*
 * The canonical continuation of the events before `from` and of the causes of the last event, which
 * has this clock. from = 0: marks are ignored.
 */
struct revisit_cut {
	const u16 *clock;
	u32 from;
};

static bool performed_before(const struct graph *g, u32 w, u32 at, struct revisit_cut c);

/* Does it add write w before event `at`? */
static inline __attribute__((always_inline)) bool added(
	const struct graph *g, u32 w, u32 at, struct revisit_cut c)
{
	return w <= at || (c.from && performed_before(g, w, at, c));
}

/* Does it add event i after those up to number `at`? */
static inline __attribute__((always_inline)) bool maximal(
	const struct graph *g, u32 i, u32 at, struct revisit_cut c)
{
	const struct gevent *e = &g->event[i];
	u32 w = e->co_next;

	if (e->type == LABEL_CHOOSE)
		return !e->value;
	if (e->flags & E_PLAIN || !(e->flags & (E_READ | E_WRITE)))
		return true;
	if (e->flags & E_READ) {
		if (e->flags & E_RARE || (!clock_has(g, c.clock, e->rf) && !added(g, e->rf, at, c)))
			return false;
		w = e->rf ? g->event[e->rf].co_next : g->place[e->loc].co_first;
	} else {
		for (u32 r = e->readers; r; r = g->event[r].reader_next) {
			if (r < at)
				return false; /* it has revisited r */
		}
		if (e->flags & E_EXCL)
			return true;
	}
	for (; w; w = g->event[w].co_next) {
		if (added(g, w, at, c) || (clock_has(g, c.clock, w) && !is_last_write(g, w)))
			return false;
	}
	return true;
}

/* The mark to cut where the operation of i, a read or its write, would be performed at once; i if
 * there is none. */
static u32 performed_at(const struct graph *g, u32 i, u32 before, struct revisit_cut c)
{
	const struct gevent *e = &g->event[i];
	u32 end = e->flags & E_WRITE && e->flags & E_EXCL ? e->po_prev : i, m = end;

	if (!(g->event[end].flags & E_SYNC))
		return i;
	while (g->event[m].po_prev >= c.from && gevent_is_mark(&g->event[g->event[m].po_prev]))
		m = g->event[m].po_prev;
	for (; m < end && m < before; m = g->event[m].po_next) {
		if (maximal(g, end, m, c))
			return m;
	}
	return i;
}

static bool performed_before(const struct graph *g, u32 w, u32 at, struct revisit_cut c)
{
	return g->event[w].flags & E_EXCL && g->event[w].thread != g->event[at].thread &&
	       performed_at(g, w, at, c) < at;
}

/* Would thread t, which waits at the mark i, wait in the canonical continuation, too? */
static bool waits_canonically(struct trust *x, u32 i, struct revisit_cut c)
{
	const struct graph *g = &x->graph;
	const struct gevent *e = &g->event[i];
	const struct label *l = trust_label(x, i);
	u32 w = g->place[l->loc].co_last;

	while (w && !added(g, w, i, c) && (is_last_write(g, w) || !clock_has(g, c.clock, w)))
		w = g->event[w].co_prev;
	return !effect_of(l, e->thread, graph_write_value(g, w, l->loc), false).ready ||
	       await_blocks(x, l, e->thread, e->node, e->po_prev, w);
}

/*
 * maximal() for event i in its place. An operation that waited at a mark may also count as
 * performed at the mark, if the canonical continuation, which contains all causes of the last
 * event, would not have waited; or the mark counts as the wait that it is. Other threads see the
 * operation where it counts.
 */
static bool canonical(struct trust *x, u32 i, struct revisit_cut c)
{
	const struct graph *g = &x->graph;
	u32 end = i;

	if (unlikely(x->rf) && !(g->event[i].flags & (E_SYNC | E_HEAP)))
		return class_canonical(x, i, c.clock);
	if (unlikely(g->mixed) && (g->event[i].flags & (E_PIECE | E_READ)) == (E_PIECE | E_READ))
		return pieces_canonical(x, i, c.clock);
	if (unlikely(g->places->contended) &&
		(g->event[i].flags & (E_PIECE | E_EXCL | E_WRITE)) == (E_PIECE | E_EXCL | E_WRITE))
		return maximal(g, i, i, (struct revisit_cut){c.clock, 0}) &&
		       pieces_could_write(x, i);
	if (likely(!c.from && !gevent_is_mark(&g->event[i])))
		return maximal(g, i, i, (struct revisit_cut){c.clock, 0});
	if (!gevent_is_mark(&g->event[i]))
		return maximal(g, i, g->event[i].flags & E_WRITE ? performed_at(g, i, i, c) : i, c);
	while (gevent_is_mark(&g->event[end]) && g->event[end].po_next)
		end = g->event[end].po_next;
	if (gevent_is_mark(&g->event[end]))
		return waits_canonically(x, i, c);
	if (maximal(g, end, i, c))
		return true;
	return maximal(g, i, i, c) && canonical(x, g->event[i].po_next, c);
}

/* May the last event, a write of location loc with this clock, revisit i? `taken` must be cut. */
static inline __attribute__((always_inline)) bool revisitable(
	const struct graph *g, u32 i, u32 loc, u32 taken, const u16 *clock)
{
	const struct gevent *e = &g->event[i];

	if (!(e->flags & E_READ))
		return false;
	if (unlikely(g->mixed) && (e->flags | g->event[g->n].flags) & E_PIECE)
		return !(e->flags & E_PLAIN) && !gevent_is_mark(e) &&
		       pieces_revisitable(g, i, g->n, clock);
	return e->loc == loc && !(e->flags & E_PLAIN) && !gevent_is_mark(e) &&
	       (!taken || (taken >= i && !clock_has(g, clock, taken)));
}

/* The first event up to `until` that a write of loc with this clock could revisit, or 0.
 * With pieces, any event. */
static u32 first_revisitable(const struct graph *g, u32 loc, u32 until, const u16 *clock)
{
	u32 first = 0;

	if (unlikely(g->mixed))
		return 1;
	for (u32 r = g->place[loc].reads; r; r = g->event[r].loc_prev)
		if (r <= until && !clock_has(g, clock, r))
			first = r;
	return first;
}

/*
 * The RMW e could read from w, but another RMW does. Then e can only displace it by a revisit.
 * True: no revisit is possible, so e need not be tried.
 */
bool trust_taken_blocked(struct trust *x, u32 e, u32 w)
{
	struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	const struct label *l = trust_label(x, e);
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));
	u32 taken;

	if (!consumed(g, w, ev->loc) || l->flags & LABEL_WEAK || x->graph.mixed || x->polled ||
		!effect_of(l, ev->thread, graph_write_value(g, w, ev->loc), false).excl)
		return false;
	taken = w ? g->event[w].co_next : g->place[ev->loc].co_first;
	clock_copy(clock, graph_cause(g, ev->po_prev), g->lanes);
	clock_join(clock, graph_cause(g, w), g->lanes);
	if (unlikely(x->symmetric)) {
		clock[ev->thread] = ev->index;
		symmetry_close(x, clock);
	}
	if (!g->nmarks && !first_revisitable(g, ev->loc, e - 1, clock))
		return true;

	for (u32 i = e - 1; i; i--) {
		if (clock_has(g, clock, i))
			continue;
		if (x->rf && !(g->event[i].flags & (E_SYNC | E_HEAP))
				? !class_canonical_perhaps(g, i, clock)
				: !canonical(x, i, (struct revisit_cut){clock, 0}))
			return !g->nmarks;
		if (revisitable(g, i, ev->loc, taken, clock))
			return false;
	}
	return true;
}

/* --- revisits -------------------------------------------------------------------------------- */

/* r reads from a, the last event, which is in co. Does its thread make progress? */
bool trust_revisit_read(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;
	struct gevent *ev = &g->event[r];
	const u16 *clock = clock_before(g, r);

	for (u32 w = g->event[a].co_next; w; w = g->event[w].co_next) {
		if (graph_known(g, clock, ev->loc, w))
			return false;
	}
	ev->state = STATE_FRESH;
	if (trust_read_from(x, r, a, false))
		return true;
	if (x->answer != ANSWER_LABEL || g->event[a].co_next)
		return false;
	trust_set_read(x, r, a, trust_label(x, r), (struct effect){.ready = false});
	graph_set_flags(g, r, ev->flags | E_WAIT);
	ev->state = STATE_WAIT_MARK;
	g->thread[ev->thread].node = ev->node;
	return true;
}

/* In a graph made by a revisit, r reads from a, the last event, which is in co: is that
 * consistent? */
static bool placed(struct trust *x, u32 r, u32 a)
{
	struct graph *g = &x->graph;

	if (unlikely(x->rf))
		return class_revisit_read(x, r, a);
	return trust_revisit_read(x, r, a) &&
	       (!g->event[a].co_next || graph_consistent(g, a, r) || trust_rare_failure(x, r, a));
}

/* The next earlier place in co for the write e: *before becomes its predecessor. 0: none is
 * left. */
bool trust_earlier_place(const struct graph *g, u32 e, u32 *before)
{
	const struct gevent *ev = &g->event[e];
	const u16 *clock = clock_before(g, e);
	u32 w = ev->co_prev;

	while (!graph_known(g, clock, ev->loc, w)) {
		u32 next = w;

		w = g->event[w].co_prev;
		if (g->event[next].flags & E_EXCL && g->event[graph_read_of(g, next)].rf == w)
			continue; /* nothing goes between an RMW's two halves */
		*before = w;
		return true;
	}
	return false;
}

bool trust_move_earlier(struct trust *x, u32 e)
{
	struct graph *g = &x->graph;
	u32 before;

	if (g->event[e].flags & E_EXCL)
		return false;
	while (trust_earlier_place(g, e, &before)) {
		graph_co_remove(g, e);
		graph_co_insert(g, e, before);
		graph_changes(g, e);
		g->event[e].stamp = ++x->stamp;
		if (g->event[e].state == STATE_PLACES) {
			if (placed(x, g->event[e].cursor, e))
				return true;
			if (x->answer != ANSWER_LABEL)
				return false;
		} else if (graph_consistent(g, e, 0)) {
			return true;
		}
	}
	return false;
}

void trust_push(struct trust *x)
{
	size_t size = LEVEL_HEAD + graph_size(&x->graph);
	struct saved_level *l = area_take(&x->area, size);

	*l = (struct saved_level){x->top, size, x->pushes++, trust_leaves(x), x->base};
	graph_save(&x->graph, (u8 *)l + LEVEL_HEAD);
	x->top = (size_t)((u8 *)l - x->area.memory);
	x->depth++;
}

void trust_pop(struct trust *x)
{
	struct saved_level *l = trust_level(x);

	graph_restore(&x->graph, (u8 *)l + LEVEL_HEAD);
	x->top = l->below;
	x->base = l->base;
	x->depth--;
	area_give(&x->area, l, l->size);
}

/* The last event a, which has these causes, revisits r: a new graph, on top of a copy of this
 * one. */
static bool revisit(struct trust *x, u32 r, const u16 *clock)
{
	struct graph *g = &x->graph;
	u32 a = g->n, place;

	if (unlikely(!area_has(&x->area, LEVEL_HEAD + 2 * graph_size(g)))) {
		x->bounded |= TRUST_DEPTH;
		return false;
	}
	trust_push(x);
	for (u32 w = graph_half_first(g, a); w <= a; w++)
		if (graph_in_co(g, w))
			graph_co_remove(g, w);
	r = graph_cut(g, r, r, clock);
	a = g->n;
	if (unlikely(g->mixed))
		pieces_hang_on(g);
	x->base = graph_half_first(g, a) - 1;
	g->event[a].state = STATE_PLACES;
	g->event[a].cursor = (u16)r;
	for (u32 w = x->base + 1; w <= a; w++)
		g->event[w].stamp = ++x->stamp;
	if (unlikely((g->event[r].flags | g->event[a].flags) & E_PIECE)) {
		if (pieces_revisit(x, r, a))
			return true;
	} else if (g->event[a].flags & E_EXCL) {
		place = g->event[g->event[a].po_prev].rf;
		if (!consumed(g, place, g->event[a].loc)) {
			graph_co_insert(g, a, place);
			if (placed(x, r, a))
				return true;
		}
	} else {
		graph_co_insert(g, a, g->place[g->event[a].loc].co_last);
		if (placed(x, r, a) ||
			(x->answer == ANSWER_LABEL && !x->rf && trust_move_earlier(x, a)))
			return true;
	}
	trust_pop(x);
	return false;
}

/* The write of the RMW that has taken the source of the RMW of write a, or 0. It must be cut. */
static u32 taken_by(const struct graph *g, u32 a)
{
	const struct gevent *e = &g->event[a];
	u32 w;

	if (!(e->flags & E_EXCL) || graph_in_co(g, a))
		return 0;
	w = g->event[e->po_prev].rf;
	if (unlikely(e->flags & E_PIECE))
		return 0; /* pieces_taken_stays() */
	return w ? g->event[w].co_next : g->place[e->loc].co_first;
}

/* Are all events canonical that a revisit of i would cut? */
static bool cuts_canonical(struct trust *x, u32 i, u32 a, const u16 *clock)
{
	const struct graph *g = &x->graph;
	struct revisit_cut c = {clock, g->nmarks ? i : 0};
	u32 below = a;

	for (u32 k = a - 1; k >= i; k--) {
		u32 before = g->event[k].po_prev;

		if (clock_has(g, clock, k) || canonical(x, k, c))
			continue;
		if (x->answer != ANSWER_LABEL)
			return false;
		if (!before || !gevent_is_mark(&g->event[before]))
			return false;
		below = before < below ? before : below; /* perhaps from before the mark */
	}
	return i <= below;
}

/* Does the last event a, with this cause, revisit i? The clock gets the causes of the events that
 * are kept. */
static bool revisits(
	struct trust *x, u32 i, u32 a, u32 taken, const u16 *cause, u16 *clock)
{
	const struct graph *g = &x->graph;
	u32 loc = g->event[a].loc;

	if (clock_has(g, cause, i) || !revisitable(g, i, loc, taken, cause))
		return false;
	clock_copy(clock, cause, g->lanes);
	if (x->polled && (!trust_close(x, clock, i) || clock_has(g, clock, i) ||
				 !revisitable(g, i, loc, taken, clock)))
		return false;
	return cuts_canonical(x, i, a, clock);
}

/* trust_next_revisit() where the kept events, or their order, depend on the revisited read: threads
 * wait until others have read their writes, or operations have waited. */
static bool next_revisit_each(struct trust *x, u32 a, u32 taken)
{
	struct graph *g = &x->graph;
	u16 cause[GRAPH_THREADS] __attribute__((aligned(16)));
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16)));

	clock_copy(cause, graph_cause(g, a), g->lanes);
	if (unlikely(x->symmetric))
		symmetry_close(x, cause);
	for (u32 i = g->event[a].cursor; i; i--) {
		if (!revisits(x, i, a, taken, cause, clock)) {
			if (x->answer != ANSWER_LABEL)
				return false;
			continue;
		}
		g->event[a].cursor = (u16)(i - 1);
		if (revisit(x, i, clock))
			return true;
		if (x->answer != ANSWER_LABEL || trust_enough(x))
			return false;
	}
	g->event[a].cursor = 0;
	return false;
}

/* The next read that the last event, a write, revisits. */
bool trust_next_revisit(struct trust *x, u32 a)
{
	struct graph *g = &x->graph;
	u16 closed[GRAPH_THREADS] __attribute__((aligned(16)));
	const u16 *clock = graph_cause(g, a);
	u32 taken = taken_by(g, a), first;

	if (unlikely(x->polled) || g->nmarks)
		return next_revisit_each(x, a, taken);
	if (unlikely(x->symmetric)) {
		clock_copy(closed, clock, g->lanes);
		symmetry_close(x, closed);
		clock = closed;
	}
	first = first_revisitable(g, g->event[a].loc, g->event[a].cursor, clock);
	for (u32 i = first ? g->event[a].cursor : 0; i >= first && i; i--) {
		if (clock_has(g, clock, i))
			continue;
		if (!canonical(x, i, (struct revisit_cut){clock, 0})) {
			if (x->answer != ANSWER_LABEL)
				return false;
			break;
		}
		if (!revisitable(g, i, g->event[a].loc, taken, clock))
			continue;
		g->event[a].cursor = (u16)(i - 1);
		if (revisit(x, i, clock))
			return true;
		if (x->answer != ANSWER_LABEL || trust_enough(x))
			return false;
	}
	g->event[a].cursor = 0;
	return false;
}
