/* SPDX-License-Identifier: ISC */
/* holes_graph.c - graphs with holes: building them; as graphs of model/graph.h. See holes.h. */
#include "holes/holes.h"
#include "model/hardware/hardware.h"

/* --- events ----------------------------------------------------------------------------------- */

u32 holes_half(const struct hgraph *g, u32 e)
{
	const struct hevent *x = &g->event[e];
	u32 i;

	if (x->flags & E_READ)
		return x->next && g->event[x->next].index == x->index + 1 ? x->next : 0;
	for (i = g->thread[x->thread].first; i != e; i = g->event[i].next)
		if (g->event[i].next == e)
			return g->event[i].index + 1 == x->index ? i : 0;
	return 0;
}

u32 holes_writes(const struct hgraph *g, u32 loc)
{
	u32 n = 0;

	for (u32 e = 1; e <= g->n; e++)
		n += holes_is_write(&g->event[e]) && g->event[e].loc == loc && g->event[e].at;
	return n;
}

void holes_place(struct hgraph *g, u32 w, u32 at)
{
	for (u32 e = 1; e <= g->n; e++)
		if (holes_is_write(&g->event[e]) && g->event[e].loc == g->event[w].loc &&
			g->event[e].at >= at)
			g->event[e].at++;
	g->event[w].at = (u16)at;
}

u32 holes_add(struct hgraph *g, const struct hevent *e)
{
	struct hthread *t = &g->thread[e->thread];
	u16 *link = &t->first;
	u32 id = ++g->n;

	while (*link && g->event[*link].index < e->index)
		link = &g->event[*link].next;
	g->event[id] = *e;
	g->event[id].next = *link;
	*link = (u16)id;
	g->event[id].issued = g->event[id].done = (u16)++g->places;
	if (holes_is_write(e))
		g->event[id].done = (u16)++g->places;
	return id;
}

size_t holes_size(const struct hgraph *g)
{
	return sizeof *g - (HOLES_EVENTS - g->n) * sizeof g->event[0];
}

void holes_copy(struct hgraph *to, const struct hgraph *from)
{
	__builtin_memcpy(to, from, holes_size(from));
}

/* --- as other graphs -------------------------------------------------------------------------- */

static void clear(struct graph *to)
{
	for (u32 i = 0; i < to->nplaces; i++)
		to->place[i] = (struct gplace){.nplain = 0};
	for (u32 t = 0; t < GRAPH_THREADS; t++)
		to->thread[t] = (struct gthread){.node = cache_root(t)};
	to->n = to->nsc = to->nmarks = to->known = 0;
	to->nthreads = 1;
}

static void push(struct holes *h, struct graph *to, u32 e)
{
	const struct hevent *x = &h->g->event[e];
	struct gevent *y;
	u32 id = graph_push(to, x->thread, holes_label_of(h, x), x->node, x->flags);

	y = &to->event[id];
	y->value = x->value;
	y->stamp = x->stamp;
	y->flags |= x->rare ? E_RARE : 0;
	h->number[e] = (u16)id;
	if (x->type == LABEL_CREATE) {
		to->thread[x->value].create = (u16)id;
		if (x->value >= to->nthreads)
			to->nthreads = (u32)x->value + 1;
	}
	to->thread[x->thread].ended |= x->type == LABEL_END;
}

static void set_source(struct holes *h, struct graph *to, u32 e)
{
	const struct hevent *x = &h->g->event[e];

	if (holes_is_read(x) || x->rf)
		graph_set_source(to, h->number[e], h->number[x->rf]);
}

static void set_co(struct holes *h, struct graph *to)
{
	for (u32 at = 1, more = true; more; at++) {
		more = false;
		for (u32 e = 1; e <= h->g->n; e++) {
			const struct hevent *x = &h->g->event[e];

			if (!holes_is_write(x) || !x->at || !h->number[e])
				continue;
			more |= x->at > at;
			if (x->at == at)
				graph_co_insert(to, h->number[e], to->place[x->loc].co_last);
		}
	}
}

/* All events, holes and all; dependencies are sets of indices. */
static void build_check(struct holes *h)
{
	const struct hgraph *g = h->g;
	struct graph *to = &h->check;

	clear(to);
	h->number[0] = 0;
	for (u32 t = 0; t < g->nthreads; t++)
		for (u32 e = g->thread[t].first; e; e = g->event[e].next) {
			push(h, to, e);
			to->event[to->n].index = g->event[e].index;
			to->event[to->n].deps = g->event[e].record;
		}
	for (u32 e = 1; e <= g->n; e++)
		set_source(h, to, e);
	set_co(h, to);
}

/* The next event of thread t to be added, in po, has these causes of po and rf. */
static bool has_source(const struct holes *h, u32 e)
{
	const struct hevent *x = &h->g->event[e];

	return !x->rf || h->number[x->rf];
}

/* Up to which event does the thread go, in a question? */
static bool is_asked(const struct hgraph *g, u32 t, u32 e)
{
	u32 upto = g->thread[t].upto;

	return e && upto && g->event[e].index <= g->event[upto].index;
}

/* Is the read e before its source in po and rf, of the part not built yet? */
static bool is_on_cycle(const struct holes *h, u32 e)
{
	const struct hgraph *g = h->g;
	bool before[HOLES_EVENTS + 1] = {false}, changed = true;

	before[g->event[e].rf] = true;
	while (changed) {
		changed = false;
		for (u32 i = 1; i <= g->n; i++) {
			const struct hevent *x = &g->event[i];

			if (before[i] && !h->number[i] && !before[x->rf] && x->rf)
				changed = before[x->rf] = true;
			if (x->next && before[x->next] && !before[i])
				changed = before[i] = true;
		}
	}
	return before[e];
}

/* How well can the read come before its source? 0: it is on no cycle. */
static u32 is_early_read(const struct holes *h, u32 e)
{
	const struct hevent *x = &h->g->event[e];

	if (!holes_is_read(x) || !is_on_cycle(h, e))
		return 0;
	return x->flags & E_EXCL ? 1 : x->flags & E_ACQUIRE ? 2 : 3;
}

static void push_reached(struct holes *h, u32 e)
{
	struct graph *to = &h->x->graph;
	bool early = !has_source(h, e);

	push(h, to, e);
	if (to->event[to->n].flags & E_HEAP) {
		if (to->event[to->n].flags & E_WRITE)
			graph_co_insert(to, to->n, to->place[h->g->event[e].loc].co_last);
		else
			graph_set_source(to, to->n, to->place[h->g->event[e].loc].co_last);
	} else if (!early)
		set_source(h, to, e);
	else if (holes_is_read(&h->g->event[e]))
		graph_set_source(to, h->number[e], 0);
}

/* Push the events that have their sources, in each thread from at[] on. */
static void push_ordered(struct holes *h, u16 *at)
{
	const struct hgraph *g = h->g;
	bool moved = true;

	while (moved) {
		moved = false;
		for (u32 t = 0; t < g->nthreads; t++)
			for (; is_asked(g, t, at[t]) && has_source(h, at[t]);
				at[t] = g->event[at[t]].next) {
				push_reached(h, at[t]);
				moved = true;
			}
	}
}

/*
 * The events up to holes in an order of po and rf, but for reads that come before their source: the
 * cursor is the source, if it is in the graph. Returns whether there are any.
 */
static bool build_ordered(struct holes *h)
{
	const struct hgraph *g = h->g;
	struct graph *to = &h->x->graph;
	u16 at[GRAPH_THREADS];
	bool early = false, left = true;

	clear(to);
	__builtin_memset(h->number, 0, sizeof h->number);
	for (u32 t = 0; t < g->nthreads; t++)
		at[t] = g->thread[t].first;
	while (left) {
		u32 best = 0, how = 0;

		push_ordered(h, at);
		left = false;
		for (u32 t = 0; t < g->nthreads; t++) {
			u32 good = is_asked(g, t, at[t]) ? 1 + is_early_read(h, at[t]) : 0;

			left |= good != 0;
			if (good > how) {
				best = t;
				how = good;
			}
		}
		if (left) {
			early = true;
			push_reached(h, at[best]);
			at[best] = g->event[at[best]].next;
		}
	}
	for (u32 e = 1; e <= g->n && early; e++)
		if (h->number[e] && holes_is_read(&g->event[e]) &&
			to->event[h->number[e]].rf != h->number[g->event[e].rf])
			to->event[h->number[e]].cursor = h->number[g->event[e].rf];
	set_co(h, to);
	for (u32 t = 0; t < g->nthreads; t++)
		if (g->thread[t].exists)
			to->thread[t].node = g->thread[t].node;
	to->holes = early;
	return early;
}

void holes_question(struct holes *h)
{
	build_ordered(h);
}

bool holes_leaf(struct holes *h)
{
	struct graph *to = &h->x->graph;
	bool early = build_ordered(h);

	for (u32 e = 1; e <= to->n; e++)
		graph_clocks(to, e);
	return early;
}

/* --- consistency ------------------------------------------------------------------------------ */

/* Reads and writes of a thread at one location: co goes along po. */
static bool is_location_coherent(const struct hgraph *g, u32 t, u32 loc)
{
	u32 seen = 0;

	for (u32 e = g->thread[t].first; e; e = g->event[e].next) {
		const struct hevent *x = &g->event[e], *w = &g->event[x->rf];

		if (x->loc != loc || !(holes_is_read(x) || holes_is_write(x)))
			continue;
		if (holes_is_write(x)) {
			if (x->at && x->at <= seen)
				return false;
			seen = x->at ? x->at : seen;
		} else if (!x->rf || w->at) {
			u32 at = x->rf ? w->at : 0;

			if (at < seen || (x->rf && w->thread == t && w->index > x->index))
				return false;
			seen = at;
		}
	}
	return true;
}

/* Nothing comes between the halves of an RMW. */
static bool is_atomic(const struct hgraph *g, u32 loc)
{
	for (u32 e = 1; e <= g->n; e++) {
		const struct hevent *w = &g->event[e], *r, *s;

		if (!holes_is_write(w) || !(w->flags & E_EXCL) || w->loc != loc || !w->at)
			continue;
		r = &g->event[holes_half(g, e)];
		s = &g->event[r->rf];
		if ((r->rf && !s->at) || w->at != (r->rf ? s->at : 0) + 1)
			return false;
	}
	return true;
}

static bool is_coherent_at(const struct hgraph *g, u32 loc)
{
	for (u32 t = 0; t < g->nthreads; t++)
		if (!is_location_coherent(g, t, loc))
			return false;
	return is_atomic(g, loc);
}

bool holes_allowed(struct holes *h, struct hgraph *g)
{
	struct hgraph *was = h->g;
	bool good = true;

	h->g = g;
	for (u32 e = 1; e <= g->n && good; e++)
		if (holes_is_read(&g->event[e]) || holes_is_write(&g->event[e]))
			good = is_coherent_at(g, g->event[e].loc);
	if (good)
		build_check(h);
	for (u32 e = 1; e <= g->n && good; e++)
		good = graph_consistent(&h->check, h->number[e], 0);
	h->g = was;
	return good;
}

bool holes_completes(struct holes *h)
{
	if (!h->x->graph.model->completes)
		return true;
	build_check(h);
	return h->x->graph.model->completes(&h->check);
}

bool holes_consistent(struct holes *h)
{
	struct hgraph *g = h->g;
	u32 e = g->added, r = g->revisited, loc = g->event[e].loc;
	bool good = true;

	g->added = g->revisited = 0;
	if (!e)
		return true;
	if ((holes_is_read(&g->event[e]) || holes_is_write(&g->event[e])) &&
		!is_coherent_at(g, loc))
		return false;
	build_check(h);
	if (g->filled) /* events after e in its thread may have an order past it now */
		for (u32 i = g->thread[g->event[e].thread].first; i && good; i = g->event[i].next)
			good = graph_consistent(&h->check, h->number[i], 0);
	g->filled = false;
	return good && graph_consistent(&h->check, h->number[e], r ? h->number[r] : 0);
}
