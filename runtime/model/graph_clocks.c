/* SPDX-License-Identifier: ISC */
/* graph_clocks.c - the clocks of an event, from those of its thread and of its source; time. See
 * graph.h. */
#include "model/pieces.h"

/* LEAVE comes after every ARRIVE of its round. */
static void join_round(const struct graph *g, u32 e, u32 which)
{
	const struct gevent *x = &g->event[e];

	for (u32 i = g->place[x->loc].reads; i; i = g->event[i].loc_prev) {
		if (g->event[i].type == LABEL_ARRIVE && g->event[i].round == x->round)
			clock_join(graph_clock(g, e, which), graph_clock(g, i, which), g->lanes);
	}
}

/* Joins the clocks of piece e of an access, not its first one, into those of the access. */
static void join_piece_clocks(struct graph *g, u32 first, u32 e)
{
	const struct gevent *x = &g->event[e];
	const u16 *msg;

	if (x->flags & E_READ)
		clock_join(graph_clock(g, first, CLOCK_CAUSE), graph_cause(g, x->rf), g->lanes);
	if (g->nclocks == 1)
		return;
	if (x->flags & E_READ) {
		msg = graph_clock(g, x->rf, CLOCK_MESSAGE);
		clock_join(graph_clock(g, first, CLOCK_ACQUIRE), msg, g->lanes);
		if (x->flags & E_ACQUIRE)
			clock_join(graph_clock(g, first, CLOCK_HB), msg, g->lanes);
	} else if (x->flags & E_EXCL) {
		msg = graph_clock(g, g->event[graph_read_of(g, e)].rf, CLOCK_MESSAGE);
		clock_join(graph_clock(g, first, CLOCK_MESSAGE), msg, g->lanes);
	}
}

/* hb and its components, for models where hb is less than po|rf, of the event x with these clocks;
 * until: the last index of its half of the access. */
static inline __attribute__((always_inline)) void clocks_hb(
	const struct graph *g, const struct gevent *x, u16 *clocks, u16 until, u32 lanes)
{
	u16 *hb = clocks + CLOCK_HB * lanes, *rel = clocks + CLOCK_RELEASE * lanes;
	u16 *msg = clocks + CLOCK_MESSAGE * lanes, flags = x->flags;
	u32 e = (u32)(x - g->event);

	hb[x->thread] = until;
	if (flags & E_READ) {
		const u16 *from = graph_clock(g, x->rf, CLOCK_MESSAGE);

		if (!(flags & E_NO_RESULT)) /* or a fence for loads does not order it */
			clock_join(clocks + CLOCK_ACQUIRE * lanes, from, lanes);
		if (flags & E_ACQUIRE)
			clock_join(hb, from, lanes);
	} else if (flags & E_FENCE && flags & E_ACQUIRE) {
		clock_join(hb, clocks + CLOCK_ACQUIRE * lanes, lanes);
	} else if (x->type == LABEL_LEAVE) {
		join_round(g, e, CLOCK_HB);
	} else if (x->rf) {
		clock_join(hb, graph_clock(g, x->rf, CLOCK_HB), lanes);
	}
	if (flags & E_WRITE) {
		if (flags & E_PLAIN)
			__builtin_memset(msg, 0, lanes * sizeof *msg);
		else
			clock_copy(msg, flags & E_RELEASE ? hb : rel, lanes);
		if (flags & E_EXCL)
			clock_join(msg,
				graph_clock(g, g->event[graph_read_of(g, e)].rf, CLOCK_MESSAGE),
				lanes);
	} else if (flags & E_RELEASE && !(flags & E_READ)) {
		clock_copy(rel, hb, lanes);
	}
	/* After a full barrier of the hardware the buffer is empty: later stores release all before
	 * it; after a release store, all before that store, but not itself. */
	if (g->model->has_store_fences && flags & (E_FULL | E_FULL_AFTER)) {
		clock_copy(rel, hb, lanes);
	} else if (g->model->has_store_fences && flags & E_WRITE && flags & E_RELEASE) {
		clock_copy(rel, hb, lanes);
		rel[x->thread] = (u16)(x->index - 1);
	}
}

static inline __attribute__((always_inline)) void clocks_of(
	const struct graph *g, u32 e, u16 until, u32 lanes, u32 nclocks)
{
	const struct gevent *x = &g->event[e];
	size_t size = nclocks * (size_t)lanes;
	u16 *clocks = g->clocks + e * size;

	clock_copy(clocks, g->clocks + x->po_prev * size, (u32)size);
	clocks[x->thread] = until; /* po|rf */
	if (x->rf)
		clock_join(clocks, g->clocks + x->rf * size, lanes);
	if (x->type == LABEL_LEAVE)
		join_round(g, e, CLOCK_CAUSE);
	if (nclocks > 1)
		clocks_hb(g, x, clocks, until, lanes);
}

/* All pieces of e's half of an access have the joined clocks. */
static __attribute__((noinline)) void clocks_of_pieces(struct graph *g, u32 e)
{
	u32 first = graph_half_first(g, e), last = graph_half_last(g, e);
	u32 second = g->event[first].po_next, end = g->event[last].po_next;

	clocks_of(g, first, g->event[last].index, g->lanes, g->nclocks);
	for (u32 i = second; i != end; i = g->event[i].po_next)
		join_piece_clocks(g, first, i);
	/* A full barrier of PSO releases the joined clocks. */
	if (g->model->has_store_fences && g->event[first].flags & (E_FULL | E_FULL_AFTER))
		clock_copy(graph_clock(g, first, CLOCK_RELEASE), graph_clock(g, first, CLOCK_HB),
			g->lanes);
	for (u32 i = second; i != end; i = g->event[i].po_next)
		clock_copy(graph_clock(g, i, 0), graph_clock(g, first, 0), g->lanes * g->nclocks);
}

void graph_clocks(struct graph *g, u32 e)
{
	if (unlikely(g->event[e].flags & E_PIECE))
		clocks_of_pieces(g, e);
	else if (unlikely(g->lanes > CLOCK_LANES))
		clocks_of(g, e, g->event[e].index, g->lanes, g->nclocks);
	else if (g->nclocks > 1)
		clocks_of(g, e, g->event[e].index, CLOCK_LANES, CLOCKS);
	else
		clocks_of(g, e, g->event[e].index, CLOCK_LANES, 1);
}

bool graph_known(const struct graph *g, const u16 *clock, u32 loc, u32 w)
{
	u32 r = w ? g->event[w].readers : g->place[loc].init_readers;

	if (!w || clock_has(g, clock, w))
		return true;
	for (; r; r = g->event[r].reader_next) {
		if (clock_has(g, clock, r))
			return true;
	}
	return false;
}

/* --- time ------------------------------------------------------------------------------------ */

void graph_clocks_after(struct graph *g, u32 e, const u16 *causes, u32 n)
{
	u16 *cause = graph_clock(g, e, CLOCK_CAUSE), *hb = graph_clock(g, e, CLOCK_HB);

	graph_clocks(g, e);
	for (u32 i = 0; i < n; i++)
		clock_join(cause, graph_cause(g, causes[i]), g->lanes);
	if (g->nclocks == 1)
		return;
	for (u32 i = 1; i < e; i++) /* the last ones of all threads happen before it */
		if (g->event[i].index == cause[g->event[i].thread])
			clock_join(hb, graph_hb(g, i), g->lanes);
	if (g->event[e].flags & E_RELEASE)
		clock_copy(graph_clock(g, e, CLOCK_RELEASE), hb, g->lanes);
}

u32 graph_time_after(const struct graph *g, u32 e)
{
	u32 first = 0;

	for (u32 i = g->place[0].reads; i > e; i = g->event[i].loc_prev)
		if (clock_has(g, graph_cause(g, i), e))
			first = i;
	return first;
}

u32 graph_time_reached(const struct graph *g, u64 deadline)
{
	u32 first = 0;

	for (u32 i = g->place[0].reads; i; i = g->event[i].loc_prev)
		if (g->event[i].value >= deadline)
			first = i;
	return first;
}

static bool has_a_time(const struct gevent *e)
{
	return e->type == LABEL_TIME || e->type == LABEL_CLOCK;
}

u64 graph_time(const struct graph *g, const u16 *clock)
{
	u64 time = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		u32 e = g->thread[t].last;

		while (e && (g->event[e].index > clock[t] || !has_a_time(&g->event[e])))
			e = g->event[e].po_prev;
		if (e && g->event[e].value > time)
			time = g->event[e].value;
	}
	return time;
}
