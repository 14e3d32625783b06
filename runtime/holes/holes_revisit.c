/* SPDX-License-Identifier: ISC */
/*
 * holes_revisit.c - a write becomes the source of an earlier read; events that were neither there
 * before the read, nor are causes of the write, are cut.
 *
 * A revisit is made from one graph only: that in which the events to be cut are the canonical
 * continuation of the kept ones, with reads of the co-last write, and writes placed last. Where a
 * model lets a read see more writes after a hole than before it (IMM), these are the canonical
 * ones.
 */
#include "holes/holes_order.h"
#include "model/hardware/hardware.h"

struct revisit {
	struct holes *h;
	struct hgraph *g;
	struct hmarks cause;
	bool taken[HOLES_EVENTS +
		   1]; /* writes of RMWs whose reads are causes: their places are theirs */
	struct hmarks before; /* causes of taken writes that are not the last ones of their
			       * locations */
	u32 a;
	struct hmarks p; /* the events that the one that is tested continues */
};

static bool in_g(const struct hgraph *g, u32 e, bool done)
{
	return !done || g->event[e].done;
}

/* --- parts of graphs -------------------------------------------------------------------------- */

/* Places in co, without gaps. */
static void close_places(struct hgraph *to)
{
	u16 at[HOLES_EVENTS + 1] = {0};

	for (u32 e = 1; e <= to->n; e++)
		for (u32 f = 1; f <= to->n && to->event[e].at; f++)
			at[e] += holes_is_write(&to->event[f]) &&
				 to->event[f].loc == to->event[e].loc && to->event[f].at &&
				 to->event[f].at <= to->event[e].at;
	for (u32 e = 1; e <= to->n; e++)
		to->event[e].at = at[e];
}

/* The threads' events in po order; their positions are found again. */
static void link_hgraph_threads(struct hgraph *to, const struct hgraph *from, const u16 *number)
{
	to->nthreads = from->nthreads;
	for (u32 t = 0; t < GRAPH_THREADS; t++) {
		u16 *link = &to->thread[t].first;

		to->thread[t] = (struct hthread){.node = cache_root(t), .exists = !t};
		for (u32 e = from->thread[t].first; e; e = from->event[e].next) {
			if (!number[e])
				continue;
			*link = number[e];
			link = &to->event[number[e]].next;
		}
		*link = 0;
	}
	for (u32 e = 1; e <= to->n; e++) {
		if (to->event[e].type == LABEL_CREATE)
			to->thread[to->event[e].value].exists = true;
		to->thread[to->event[e].thread].ended |= to->event[e].type == LABEL_END;
	}
}

/* --- causes, closed under halves -------------------------------------------------------------- */

/* Is all that m has, but the issue of w, among the causes? */
static bool is_part(const struct revisit *v, const struct hmarks *m, u32 w)
{
	for (u32 e = 1; e <= v->g->n; e++) {
		if (m->done[e] && !v->cause.done[e] && e != v->a)
			return false;
		if (m->issued[e] && !v->cause.issued[e] && e != w && e != v->a &&
			holes_is_write(&v->g->event[e]))
			return false;
	}
	return true;
}

/* The write to be kept whole: a cause as issued only, or that of an RMW whose read is one; 0. */
static u32 half_kept(const struct revisit *v, u32 e)
{
	const struct hgraph *g = v->g;
	const struct hevent *x = &g->event[e];
	u32 w = 0;

	if (holes_is_write(x) && v->cause.issued[e])
		w = e;
	else if (holes_is_read(x) && v->cause.done[e] && x->flags & E_EXCL)
		w = holes_half(g, e);
	return w && w != v->a && !v->cause.done[w] ? w : 0;
}

/*
 * Keep no write as pending, and no read of an RMW without its write, if the propagation needs
 * nothing else. False: such a write is still pending; the revisit is made where it is not.
 */
static bool close_causes(struct revisit *v)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (u32 e = 1; e <= v->g->n; e++) {
			struct hmarks m = {.issued = {false}};
			u32 w = half_kept(v, e);

			if (!w || holes_lacks_late(v->g, w))
				continue;
			holes_causes(v->h, &m, w, false);
			if (m.done[v->a] || !is_part(v, &m, w))
				continue;
			if (!v->g->event[w].done)
				return false;
			v->cause.issued[w] = v->cause.done[w] = changed = true;
		}
	}
	return true;
}

static void find_taken(struct revisit *v)
{
	for (u32 e = 1; e <= v->g->n; e++) {
		const struct hevent *x = &v->g->event[e];
		u32 w = holes_is_read(x) && x->flags & E_EXCL && v->cause.done[e]
				? holes_half(v->g, e)
				: 0;

		if (!w || w == v->a || !v->g->event[w].done)
			continue;
		v->taken[w] = true;
		if (v->g->event[w].at < holes_writes(v->g, x->loc))
			holes_causes(v->h, &v->before, w, false);
	}
}

/* --- canonical continuations ------------------------------------------------------------------ */

/* p: the events up to that position, the causes, and taken writes whose sources have places. */
static void find_before(struct revisit *v, u32 position, u32 item)
{
	const struct hgraph *g = v->g;

	for (u32 e = 1; e <= g->n; e++) {
		const struct hevent *x = &g->event[e];

		v->p.issued[e] = x->issued <= position || v->cause.issued[e];
		v->p.done[e] = x->done && (x->done <= position || v->cause.done[e]);
	}
	for (u32 twice = 0; twice < 2; twice++)
		for (u32 w = 1; w <= g->n; w++) {
			u32 source;

			if (!v->taken[w])
				continue;
			source = g->event[holes_half(g, w)].rf;
			if (!source || (source != item && v->p.done[source]))
				v->p.issued[w] = v->p.done[w] = true;
		}
}

/* The place of the write in co among those of p but `but'; 0: initial. */
static u32 rank_in(const struct revisit *v, u32 w, u32 but)
{
	const struct hgraph *g = v->g;
	u32 rank = 0;

	if (!w)
		return 0;
	for (u32 e = 1; e <= g->n; e++)
		rank += holes_is_write(&g->event[e]) && g->event[e].loc == g->event[w].loc &&
			e != but && v->p.done[e] && g->event[e].at &&
			g->event[e].at <= g->event[w].at;
	return rank;
}

static u32 nth_in(const struct revisit *v, u32 loc, u32 rank, u32 but)
{
	const struct hgraph *g = v->g;

	for (u32 e = 1; e <= g->n && rank; e++)
		if (holes_is_write(&g->event[e]) && g->event[e].loc == loc && e != but &&
			v->p.done[e] && g->event[e].at && rank_in(v, e, but) == rank)
			return e;
	return 0;
}

static u32 count_in(const struct revisit *v, u32 loc, u32 but)
{
	const struct hgraph *g = v->g;
	u32 n = 0;

	for (u32 e = 1; e <= g->n; e++)
		n += holes_is_write(&g->event[e]) && g->event[e].loc == loc && e != but &&
		     v->p.done[e] && g->event[e].at;
	return n;
}

/* IMM: coherence with later events of the location that are there already. */
static u32 bounded(const struct revisit *v, u32 e, u32 top)
{
	const struct hgraph *g = v->g;
	const struct hevent *x = &g->event[e];

	for (u32 f = x->next; f; f = g->event[f].next) {
		const struct hevent *y = &g->event[f];
		u32 rank;

		if (y->loc != x->loc || !(holes_is_read(y) || holes_is_write(y)) || !v->p.done[f])
			continue;
		if (holes_is_write(y)) {
			rank = rank_in(v, f, e) - 1;
		} else {
			if (y->rf && (!v->p.done[y->rf] || !g->event[y->rf].at || y->rf == e))
				continue;
			rank = rank_in(v, y->rf, e);
		}
		top = rank < top ? rank : top;
	}
	return top;
}

/* p and e, which reads from the write w, or is placed after it. False: a source is missing. */
static bool continue_with(const struct revisit *v, u32 e, u32 w, struct hgraph *to)
{
	const struct hgraph *g = v->g;
	u16 number[HOLES_EVENTS + 1];

	to->n = to->places = 0;
	to->event[0] = g->event[0];
	number[0] = 0;
	for (u32 f = 1; f <= g->n; f++)
		number[f] = v->p.issued[f] || f == e ? (u16)++to->n : 0;
	for (u32 f = 1; f <= g->n; f++) {
		struct hevent *x = &to->event[number[f]];

		if (!number[f])
			continue;
		*x = g->event[f];
		if (f != e && x->rf && !number[x->rf])
			return false;
		x->rf = f == e ? 0 : number[x->rf];
		if (f == e || !v->p.done[f])
			x->at = 0;
	}
	link_hgraph_threads(to, g, number);
	close_places(to);
	if (holes_is_read(&g->event[e]))
		holes_read(v->h, to, number[e], number[w], false);
	else
		holes_place(to, number[e], w ? to->event[number[w]].at + 1u : 1);
	return true;
}

/*
 * The canonical continuation of p is never forbidden, unless e is a cause of a write whose place is
 * taken, and which others follow. Then it is the last one that is allowed.
 */
static u32 last_allowed(const struct revisit *v, u32 e, u32 top)
{
	static struct hgraph to;

	for (;; top--) {
		u32 w = nth_in(v, v->g->event[e].loc, top, e);

		if (!top || (continue_with(v, e, w, &to) && holes_allowed(v->h, &to)))
			return w;
	}
}

/* Where the canonical continuation of p reads, or after which write it is placed. */
static u32 canonical_place(const struct revisit *v, u32 e)
{
	const struct hgraph *g = v->g;
	const struct hevent *x = &g->event[e];
	u32 own = 0, top;

	if (holes_is_read(x)) {
		for (u32 f = g->thread[x->thread].first; f != e; f = g->event[f].next)
			if (holes_is_write(&g->event[f]) && g->event[f].loc == x->loc &&
				v->p.issued[f])
				own = f;
		if (own && !v->p.done[own])
			return own;
	}
	top = count_in(v, x->loc, e);
	if (!order_of_model(v->h)->reads)
		top = bounded(v, e, top);
	return v->before.done[e] ? last_allowed(v, e, top) : nth_in(v, x->loc, top, e);
}

/* Does a later event of the thread read from the same source? IMM: then e reads no later one. */
static bool is_read_later(const struct revisit *v, u32 e)
{
	const struct hgraph *g = v->g;

	for (u32 f = g->event[e].next; f; f = g->event[f].next)
		if (holes_is_read(&g->event[f]) && g->event[f].loc == g->event[e].loc &&
			v->p.done[f] && g->event[f].rf == g->event[e].rf)
			return !order_of_model(v->h)->reads;
	return false;
}

/* Is the place after the source that of an RMW whose read is a cause, and whose write is missing?
 * Then e reads from that write, where it is not. */
static bool is_place_taken(const struct revisit *v, u32 e)
{
	const struct hgraph *g = v->g;

	for (u32 r = 1; r <= g->n; r++) {
		const struct hevent *x = &g->event[r];
		u32 w;

		if (!holes_is_read(x) || !(x->flags & E_EXCL) || !v->cause.done[r] ||
			x->loc != g->event[e].loc || x->rf != g->event[e].rf || r == e)
			continue;
		w = holes_half(g, r);
		if (w != v->a && !(w && g->event[w].done))
			return !is_read_later(v, e);
	}
	return false;
}

static bool is_maximal_read(struct revisit *v, u32 e)
{
	const struct hevent *x = &v->g->event[e];
	bool own = x->rf && v->g->event[x->rf].thread == x->thread;
	bool fails = holes_must_fail(v->h, v->g, e, &v->p);

	if (fails ? x->flags & E_EXCL : x->rare)
		return false;
	if (x->rf && !(own ? v->p.issued[x->rf] : v->p.done[x->rf]))
		return false;
	return canonical_place(v, e) == x->rf && !is_place_taken(v, e);
}

static bool is_maximal_write(struct revisit *v, u32 e)
{
	const struct hgraph *g = v->g;
	const struct hevent *x = &g->event[e];

	for (u32 r = 1; r <= g->n; r++)
		if (holes_is_read(&g->event[r]) && g->event[r].rf == e &&
			g->event[r].thread != x->thread && v->p.done[r])
			return false; /* it has revisited r */
	if (x->flags & E_EXCL)
		return true;
	return nth_in(v, x->loc, rank_in(v, e, 0) - 1, 0) == canonical_place(v, e);
}

/* Does the canonical continuation of the earlier graph have e, propagated? */
static bool is_maximal(struct revisit *v, u32 e)
{
	const struct hevent *x = &v->g->event[e];

	find_before(v, x->done, e);
	if (x->type == LABEL_CHOOSE)
		return !x->value;
	return holes_is_read(x)	   ? is_maximal_read(v, e)
	       : holes_is_write(x) ? is_maximal_write(v, e)
				   : true;
}

/* --- cutting ---------------------------------------------------------------------------------- */

static bool is_event_kept(const struct revisit *v, u32 e, u32 r, bool done)
{
	const struct hevent *x = &v->g->event[e];
	u32 position = v->g->event[r].done;

	if (!in_g(v->g, e, done))
		return false;
	if (e == v->a)
		return true;
	return done ? x->done <= position || v->cause.done[e]
		    : x->issued <= position || v->cause.issued[e];
}

static bool is_revisit_allowed(struct revisit *v, u32 r)
{
	const struct hgraph *g = v->g;

	for (u32 e = 1; e <= g->n; e++) {
		bool gone = e == r || (e != v->a && !v->taken[e] && g->event[e].done &&
					      !is_event_kept(v, e, r, true));

		if (gone && !is_maximal(v, e))
			return false;
	}
	return true;
}

static bool stays(const struct revisit *v, u32 e, u32 r)
{
	return is_event_kept(v, e, r, false) ||
	       (holes_is_write(&v->g->event[e]) && is_event_kept(v, e, r, true));
}

/* Positions in the order of addition, without gaps. */
static void renumber(struct hgraph *to)
{
	u32 places = 0;

	for (u32 p = 1; p <= to->places; p++)
		for (u32 e = 1; e <= to->n; e++) {
			struct hevent *x = &to->event[e];
			bool issued = x->issued == p, done = x->done == p;

			places += issued || done;
			if (issued)
				x->issued = (u16)places;
			if (done)
				x->done = (u16)places;
		}
	to->places = places;
}

/* What a revisit of r keeps, a without a place in co. False: something kept reads from what is
 * cut. */
static bool cut(const struct revisit *v, u32 r, struct hgraph *to, u16 *number)
{
	const struct hgraph *g = v->g;

	to->n = 0;
	to->places = g->places;
	to->added = to->revisited = 0;
	to->filled = false;
	number[0] = 0;
	to->event[0] = g->event[0];
	for (u32 e = 1; e <= g->n; e++)
		number[e] = stays(v, e, r) ? (u16)++to->n : 0;
	for (u32 e = 1; e <= g->n; e++) {
		struct hevent *x = &to->event[number[e]];

		if (!number[e])
			continue;
		*x = g->event[e];
		if (x->rf && e != r && !number[x->rf])
			return false;
		x->rf = e == r ? number[v->a] : number[x->rf];
		if (e == v->a)
			x->at = 0;
		else if (!is_event_kept(v, e, r, true))
			x->done = x->at = 0;
	}
	link_hgraph_threads(to, g, number);
	renumber(to);
	close_places(to);
	return true;
}

/* Save the graph with each place of a, an RMW's only behind its source. */
static void save_placements(struct holes *h, struct hgraph *g, u32 a, u32 r)
{
	struct hgraph *was = h->g;
	u32 n = holes_writes(g, g->event[a].loc) + 1;

	for (u32 at = n; at; at--) {
		struct hgraph *to = h->spare;

		holes_copy(to, g);
		holes_place(to, a, at);
		to->added = a;
		to->revisited = r;
		to->filled = to->event[a].next != 0;
		to->event[a].stamp = ++h->stamp;
		holes_save(h, to);
	}
	h->g = was;
}

void holes_revisits(struct holes *h, u32 a)
{
	static struct revisit revisit;
	static struct hgraph to;
	u16 number[HOLES_EVENTS + 1];
	struct revisit *v = &revisit;
	const struct hgraph *g = h->g;

	*v = (struct revisit){.h = h, .g = h->g, .a = a};
	holes_causes(h, &v->cause, a, false);
	if (!close_causes(v))
		return;
	find_taken(v);
	for (u32 r = g->n; r; r--) {
		const struct hevent *x = &g->event[r];

		if (!holes_is_read(x) || x->loc != g->event[a].loc ||
			x->thread == g->event[a].thread || v->cause.done[r])
			continue;
		if (!is_revisit_allowed(v, r) || !cut(v, r, &to, number))
			continue;
		for (u32 way = 0; holes_read_next(h, &to, number[r], number[a], way); way++)
			save_placements(h, &to, number[a], number[r]);
	}
}
