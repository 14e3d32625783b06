/* SPDX-License-Identifier: ISC */
/*
 * rc11.c - repaired C11 (Lahav et al., PLDI 2017): coherence, atomicity, no cycle of po and rf, and
 * no cycle of psc among seq_cst events. All but the last are ensured by the offered options.
 *
 *     scb = po | pol;hb;pol | hb on one location | co | fr
 *     psc = ([SC] | [Fsc];hb?) ; scb ; ([SC] | hb?;[Fsc])  |  [Fsc] ; (hb | hb;eco;hb) ; [Fsc]
 *
 * where pol is po between different locations.
 *
 * Operations on the kernel's objects are seq_cst; their rf is part of scb, as not all of them
 * acquire.
 *
 * Clocks make hb a comparison; so the psc successors of one event are found by a pass over all
 * events. Release sequences are chains of RMWs (C++20).
 *
 * Every step of psc is one or more of po, rf, co and fr: if the new event is on no cycle of these,
 * which is cheaper to check, it is on no cycle of psc; and only events that it reaches by them can
 * be on one. A graph whose atomic accesses are all seq_cst is consistent iff it is sequentially
 * consistent.
 */
#include "model/acyclic.h"
#include "model/pieces.h"

struct psc {
	struct graph *g;
	u32 epoch;    /* marks from this epoch on: events that a cycle can contain */
	u32 n;	      /* seq_cst events among it */
	u16 *event;   /* [n] */
	u64 *row;     /* [n][words]: successors */
	u32 words;
	u64 *to;      /* the row being filled */
	u64 *fences;  /* which of them are fences */
	u16 (*why)[2];	/* NULL, or the pair of co that each bit of `to` needs; {0, 0}: none */
	u16 from[2];	/* that pair, for the successors being added */
};

static bool leads_here(const struct psc *p, u32 e)
{
	return p->g->mark[e] >= p->epoch;
}

static bool hb(const struct graph *g, u32 a, u32 b)
{
	return a != b && clock_has(g, graph_hb(g, b), a);
}

static void add_reached(struct psc *p, u32 i)
{
	if (unlikely(p->why) && (!p->from[1] || !(p->to[i / 64] >> i % 64 & 1))) {
		p->why[i][0] = p->from[0];
		p->why[i][1] = p->from[1];
	}
	p->to[i / 64] |= 1ull << i % 64;
}

static bool same_access_place(const struct gevent *a, const struct gevent *b)
{
	return a->flags & (E_READ | E_WRITE) && b->flags & (E_READ | E_WRITE) && a->loc == b->loc;
}

/* Is y's location one of those of e's whole access? */
static bool is_access_within(const struct graph *g, u32 e, u32 y)
{
	u32 end = g->event[graph_last(g, e)].po_next;

	for (e = graph_first(g, e); e != end; e = g->event[e].po_next) {
		if (same_access_place(&g->event[e], &g->event[y]))
			return true;
	}
	return false;
}

/* Do the whole accesses of e and y have a location in common? */
static bool accesses_overlap(const struct graph *g, u32 e, u32 y)
{
	u32 end = g->event[graph_last(g, y)].po_next;

	for (y = graph_first(g, y); y != end; y = g->event[y].po_next) {
		if (is_access_within(g, e, y))
			return true;
	}
	return false;
}

/* The next event of e's thread to another location, after or before e. */
static u32 next_elsewhere(const struct graph *g, u32 e, bool after)
{
	u32 y = e;

	do
		y = after ? g->event[y].po_next : g->event[y].po_prev;
	while (y && (same_access_place(&g->event[e], &g->event[y]) ||
			    (unlikely((g->event[e].flags | g->event[y].flags) & E_PIECE) &&
				    accesses_overlap(g, e, y))));
	return y;
}

/* scb ends in the write or read e: e itself if it is seq_cst, and fences that it happens before. */
static void ends(struct psc *p, u32 e, bool itself)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 y = p->event[i];

		if ((itself && y == e) ||
			(p->fences[i / 64] >> i % 64 & 1 && (y == e || hb(p->g, e, y))))
			add_reached(p, i);
	}
}

/* co and fr from z; eco: and rf from there, which only counts up to a fence. */
static void communication(struct psc *p, u32 z, bool eco)
{
	const struct gevent *event = p->g->event, *x = &event[z];
	u32 w = x->flags & E_WRITE ? x->co_next
	      : x->rf		   ? event[x->rf].co_next
				   : p->g->place[x->loc].co_first;

	for (; w; w = event[w].co_next) {
		p->from[0] = (u16)(x->flags & E_WRITE ? z : x->rf);
		p->from[1] = (u16)w;
		ends(p, w, true);
		for (u32 r = eco ? event[w].readers : 0; r; r = event[r].reader_next) {
			if (!gevent_is_mark(&event[r]))
				ends(p, r, false);
		}
	}
	p->from[1] = 0;
	if (!(x->flags & E_WRITE))
		return;
	for (u32 r = x->readers; r; r = event[r].reader_next) {
		if (!gevent_is_mark(&event[r]) && (eco || event[r].flags & E_SYNC))
			ends(p, r, !eco);
	}
}

static void from_access(struct psc *p, u32 x)
{
	const struct graph *g = p->g;
	const struct gevent *ex = &g->event[x];
	u32 z1 = next_elsewhere(g, x, true);

	for (u32 i = 0; i < p->n; i++) {
		u32 y = p->event[i], z2;
		const struct gevent *ey = &g->event[y];
		bool fence = p->fences[i / 64] >> i % 64 & 1;

		if (y == x)
			continue;
		if (ey->thread == ex->thread ? ey->index > ex->index
		    : fence && graph_hb(g, y)[ex->thread] > ex->index) {
			add_reached(p, i); /* po, then hb? */
			continue;
		}
		if (same_access_place(ex, ey) && hb(g, x, y)) {
			add_reached(p, i);
			continue;
		}
		z2 = next_elsewhere(g, y, false);
		if (z1 && z2 && hb(g, z1, z2))
			add_reached(p, i);
	}
	communication(p, x, false);
	for (u32 w = g->place[ex->loc].co_first; w; w = g->event[w].co_next) {
		if (hb(g, x, w))
			ends(p, w, false); /* hb on one location, then hb to a fence */
	}
	for (u32 r = g->place[ex->loc].reads; r; r = g->event[r].loc_prev) {
		if (hb(g, x, r))
			ends(p, r, false);
	}
}

static void from_fence(struct psc *p, u32 x)
{
	const struct graph *g = p->g;

	for (u32 i = 0; i < p->n; i++) {
		u32 y = p->event[i];
		bool fence = p->fences[i / 64] >> i % 64 & 1;
		u32 before = g->event[y].po_prev;

		if (fence ? hb(g, x, y) : before && (before == x || hb(g, x, before)))
			add_reached(p, i);
	}
	for (u32 z = 1; z <= g->n; z++) {
		const struct gevent *e = &g->event[z];

		if (!leads_here(p, z) || !(e->flags & (E_READ | E_WRITE)) || gevent_is_mark(e) ||
			!hb(g, x, z))
			continue;
		communication(p, z, true);
		for (u32 i = 0; i < p->n; i++) { /* hb on one location */
			if (same_access_place(e, &g->event[p->event[i]]) && hb(g, z, p->event[i]))
				add_reached(p, i);
		}
	}
}

/* Is there a cycle? Only events that stay `alive` can be on one. */
static bool cyclic(const struct psc *p, u64 alive[GRAPH_SC_MAX / 64])
{
	bool changed = true;

	/* Remove events without successors, until nothing changes. */
	for (u32 k = 0; k < p->words; k++)
		alive[k] = ~0ull;
	if (p->n % 64)
		alive[p->words - 1] = (1ull << p->n % 64) - 1;
	while (changed) {
		changed = false;
		for (u32 i = 0; i < p->n; i++) {
			u64 any = 0;

			if (!(alive[i / 64] >> i % 64 & 1))
				continue;
			for (u32 k = 0; k < p->words; k++)
				any |= p->row[i * p->words + k] & alive[k];
			if (!any) {
				alive[i / 64] &= ~(1ull << i % 64);
				changed = true;
			}
		}
	}
	for (u32 k = 0; k < p->words; k++) {
		if (alive[k])
			return true;
	}
	return false;
}

static void fill_row(struct psc *p, u32 i)
{
	p->to = p->row + i * p->words;
	for (u32 k = 0; k < p->words; k++)
		p->to[k] = 0;
	if (p->fences[i / 64] >> i % 64 & 1)
		from_fence(p, p->event[i]);
	else
		from_access(p, p->event[i]);
}

static void move_bit(u64 *row, u32 from, u32 to)
{
	if (!(row[from / 64] >> from % 64 & 1))
		return;
	row[from / 64] &= ~(1ull << from % 64);
	row[to / 64] |= 1ull << to % 64;
}

/* Merge piece i into `first`. */
static void merge_piece(struct psc *p, u32 first, u32 i)
{
	u64 *one = p->row + first * p->words, *row = p->row + i * p->words;

	for (u32 k = 0; k < p->words; k++) {
		one[k] |= row[k];
		row[k] = 0;
	}
	for (u32 j = 0; j < p->n; j++)
		move_bit(p->row + j * p->words, i, first);
	one[first / 64] &= ~(1ull << first % 64);
}

static void join_pieces(struct psc *p)
{
	for (u32 i = 0; i < p->n; i++) {
		u32 e = p->event[i], first = graph_half_first(p->g, e), k = 0;

		if (first == e)
			continue;
		while (p->event[k] != first)
			k++;
		merge_piece(p, k, i);
	}
}

/* p->fences is all zeros. */
static void fill_psc(struct psc *p)
{
	const struct graph *g = p->g;

	for (u32 i = 1; i <= g->n; i++) {
		if (!(g->event[i].flags & E_SC) || !leads_here(p, i))
			continue;
		if (g->event[i].flags & E_FENCE)
			p->fences[p->n / 64] |= 1ull << p->n % 64;
		p->event[p->n++] = (u16)i;
	}
	p->words = (p->n + 63) / 64;
	for (u32 i = 0; i < p->n; i++)
		fill_row(p, i);
	if (unlikely(g->mixed))
		join_pieces(p);
}

/* Checks the events reachable from e, or r. */
static bool psc_acyclic(struct graph *g, u32 e, u32 r)
{
	u64 fences[GRAPH_SC_MAX / 64] = {0}, alive[GRAPH_SC_MAX / 64];
	struct psc p = {
		.g = g, .event = g->todo, .row = g->matrix, .fences = fences,
	};

	do {
		p.epoch = walk_all(g, e, WALK_ALL, walk_po);
	} while (r && walk_all(g, r, WALK_ALL, walk_po) < p.epoch); /* epochs began again */
	fill_psc(&p);
	return !cyclic(&p, alive);
}

static bool rc11_consistent(struct graph *g, u32 e, u32 r)
{
	if (!pieces_consistent(g, e, r))
		return false;
	return !g->nsc || model_sc.consistent(g, e, r) ||
	       (graph_has_weak(g) && psc_acyclic(g, e, r));
}

/* --- the edges of a cycle -------------------------------------------------------------------- */

/* The shortest cycle through the seq_cst event `start`: step[0..n) are its events, in order. 0:
 * none. */
static u32 cycle_through(const struct psc *p, u32 start, u16 *step)
{
	u16 before[GRAPH_SC_MAX], queue[GRAPH_SC_MAX];
	u64 seen[GRAPH_SC_MAX / 64] = {0};
	u32 n = 1, length = 1;

	queue[0] = (u16)start;
	for (u32 k = 0; k < n; k++) {
		const u64 *row = p->row + queue[k] * p->words;

		if (row[start / 64] >> start % 64 & 1) {
			for (u32 i = queue[k]; i != start; i = before[i])
				length++;
			for (u32 i = queue[k], at = length; at--; i = before[i])
				step[at] = (u16)i;
			return length;
		}
		for (u32 i = 0; i < p->n; i++) {
			if (!(row[i / 64] >> i % 64 & 1) || seen[i / 64] >> i % 64 & 1)
				continue;
			seen[i / 64] |= 1ull << i % 64;
			before[i] = queue[k];
			queue[n++] = (u16)i;
		}
	}
	return 0;
}

static u32 cycle(struct graph *g, u16 (*pair)[2])
{
	u64 fences[GRAPH_SC_MAX / 64] = {0}, alive[GRAPH_SC_MAX / 64];
	u16 step[GRAPH_SC_MAX], why[GRAPH_SC_MAX][2];
	struct psc p = {
		.g = g, .event = g->todo, .row = g->matrix, .fences = fences,
	};
	u32 length = 0, n = 0;

	fill_psc(&p); /* epoch 0: all of the graph */
	if (!cyclic(&p, alive))
		return MODEL_ACYCLIC;
	for (u32 i = 0; !length; i++) {
		BUG_ON(i == p.n);
		if (alive[i / 64] >> i % 64 & 1)
			length = cycle_through(&p, i, step);
	}
	p.why = why;
	for (u32 k = 0; k < length; k++) {
		u32 to = step[(k + 1) % length];

		fill_row(&p, step[k]);
		if (!why[to][1])
			continue;
		pair[n][0] = why[to][0];
		pair[n++][1] = why[to][1];
	}
	return n;
}

static u32 rc11_after(struct graph *g, u32 e)
{
	return walk_from(g, e, WALK_ALL, walk_po);
}

const struct model model_rc11 = {
	.id = MODEL_RC11,
	.is_drf_sc = true,
	.sc_accesses = SC_ACCESSES_SEQ_CST,
	.has_orders = true,
	.has_clocks = true,
	.has_sc_events = true,
	.includes = 1 << MODEL_SC | 1 << MODEL_TSO | 1 << MODEL_PSO,
	.consistent = rc11_consistent,
	.after = rc11_after,
	.cycle = cycle,
	.language = "C",
};
