/* SPDX-License-Identifier: ISC */
/* graph.c - building execution graphs: events, rf, co; cutting them. See graph.h. */
#include "model/pieces.h"
#include "base/arena.h"

size_t graph_memory(u32 lanes, u32 nclocks)
{
	return (2 * GRAPH_EVENTS + 1) * (sizeof(struct gevent) + sizeof(u32) + sizeof(u16)) +
	       (2 * GRAPH_EVENTS + 1) * (size_t)lanes * nclocks * sizeof(u16) +
	       GRAPH_THREADS * sizeof(struct gthread) + PLACES_MAX * sizeof(struct gplace) +
	       MATRIX_BYTES + CYCLE_LISTS * (GRAPH_EVENTS + 1) * sizeof(u16) + 9 * 64;
}

void graph_init(
	struct graph *g, void *memory, const struct model *model, u32 lanes, struct places *places)
{
	u8 *at = memory;

	*g = (struct graph){
		.model = model,
		.lanes = lanes,
		.nclocks = graph_clocks_of(model),
		.counted = E_PLAIN | E_WAIT | (model->has_sc_events ? E_SC : 0),
		.places = places,
		.mixed = places->mixed,
		.limit = model->max_events ? model->max_events : GRAPH_EVENTS,
	};
	g->clocks =
		arena_carve(&at, (2 * GRAPH_EVENTS + 1) * (size_t)lanes * g->nclocks * sizeof(u16));
	g->event = arena_carve(&at, (2 * GRAPH_EVENTS + 1) * sizeof(struct gevent));
	g->mark = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof(u32));
	g->todo = arena_carve(&at, (GRAPH_EVENTS + 1) * sizeof(u16));
	g->thread = arena_carve(&at, GRAPH_THREADS * sizeof(struct gthread));
	g->place = arena_carve(&at, PLACES_MAX * sizeof(struct gplace));
	g->matrix = arena_carve(&at, MATRIX_BYTES);
	g->cycle = arena_carve(&at, CYCLE_LISTS * (GRAPH_EVENTS + 1) * sizeof(u16));
	__builtin_memset(g->event, 0, sizeof *g->event);
	__builtin_memset(g->clocks, 0, (size_t)lanes * g->nclocks * sizeof(u16));
	__builtin_memset(g->thread, 0, GRAPH_THREADS * sizeof *g->thread);
	if (TINY(true, false)) /* both are cleared as they are needed */
		__builtin_memset(g->place, 0x5a, PLACES_MAX * sizeof *g->place);
	graph_know_place(g, 0);
}

/* --- events ---------------------------------------------------------------------------------- */

/* Counts needed by models: plain events, marks, seq_cst events. */
static void count_rare(struct graph *g, const struct gevent *e, int by)
{
	if (e->flags & g->counted & E_SC)
		g->nsc += (u32)by;
	if (gevent_is_mark(e))
		g->nmarks += (u32)by;
	if (e->flags & E_PLAIN)
		g->place[e->loc].nplain = (u16)(g->place[e->loc].nplain + by);
}

static inline void count_flags(struct graph *g, const struct gevent *e, int by)
{
	if (e->flags & g->counted)
		count_rare(g, e, by);
}

/* Does the write of an object's operation happen before the next operation on the object? That of a
 * lock does; that of a semaphore that is taken may not. */
static bool orders_next(const struct graph *g, u32 e)
{
	u32 next = g->event[e].co_next;

	return !next || clock_has(g, graph_hb(g, next), e);
}

/* Does no other write come directly after the source of the read of an RMW? */
static bool takes_source(const struct graph *g, u32 e)
{
	const struct gevent *ev = &g->event[e];
	u32 next = ev->rf ? g->event[ev->rf].co_next : g->place[ev->loc].co_first;

	return ev->flags & E_EXCL && (!next || next == ev->po_next);
}

bool graph_has_weak(const struct graph *g)
{
	for (u32 e = 1; e <= g->n; e++) {
		u16 f = g->event[e].flags;

		if (f & (E_SC | E_PLAIN) || !(f & (E_READ | E_WRITE | E_FENCE)))
			continue;
		if (!(f & E_SYNC) || (f & E_READ && !takes_source(g, e)))
			return true;
		if (f & E_WRITE && !orders_next(g, e))
			return true;
	}
	return false;
}

static bool listed(const struct gevent *e)
{
	return e->flags & E_READ || e->type == LABEL_ARRIVE || e->type == LABEL_LEAVE ||
	       e->type == LABEL_TIME;
}

void graph_set_flags(struct graph *g, u32 e, u16 flags)
{
	if (flags == g->event[e].flags)
		return;
	graph_changes(g, e);
	count_flags(g, &g->event[e], -1);
	g->event[e].flags = flags;
	count_flags(g, &g->event[e], 1);
}

u32 graph_push(struct graph *g, u32 thread, const struct label *l, u32 node, u16 flags)
{
	struct gthread *t = &g->thread[thread];
	u32 id = ++g->n;
	struct gevent *e = &g->event[id];

	BUG_ON(id >= GRAPH_EVENTS);
	*e = (struct gevent){
		.node = node,
		.flags = flags,
		.type = l->type,
		.thread = (u8)thread,
		.index = ++t->n,
		.loc = (u16)l->loc,
		.deps = l->deps,
		.value = l->type == LABEL_FENCE ? l->value : 0,
		.op = l->op,
		.order = (u8)(l->order | (l->type == LABEL_RMW ? 0 : l->fail << 4)),
		.po_prev = t->last,
	};
	if (t->last) {
		g->event[t->last].po_next = (u16)id;
		if (unlikely(g->event[t->last].flags & E_WAIT))
			graph_changes(g, t->last);
	} else {
		t->first = (u16)id;
	}
	t->last = (u16)id;
	graph_know_place(g, l->loc);
	if (listed(e)) {
		e->loc_prev = g->place[l->loc].reads;
		g->place[l->loc].reads = (u16)id;
	}
	if (thread >= g->nthreads)
		g->nthreads = thread + 1;
	count_flags(g, e, 1);
	return id;
}

static u16 *readers_of(struct graph *g, u32 source, u32 loc)
{
	return source ? &g->event[source].readers : &g->place[loc].init_readers;
}

static void drop_source(struct graph *g, u32 e)
{
	struct gevent *x = &g->event[e];
	u16 *p = readers_of(g, x->rf, x->loc);

	if (!(x->flags & E_READ) && !x->rf)
		return;
	while (*p && *p != e)
		p = &g->event[*p].reader_next;
	if (*p)
		*p = x->reader_next;
	x->reader_next = 0;
}

static void relink_source(struct graph *g, u32 e)
{
	struct gevent *x = &g->event[e];
	u16 *list = readers_of(g, x->rf, x->loc);

	x->reader_next = *list;
	*list = (u16)e;
}

void graph_set_source(struct graph *g, u32 e, u32 source)
{
	graph_changes(g, e);
	drop_source(g, e);
	g->event[e].rf = (u16)source;
	relink_source(g, e);
}

void graph_co_insert(struct graph *g, u32 w, u32 before)
{
	struct gevent *x = &g->event[w];
	struct gplace *p = &g->place[x->loc];
	u16 *from_before = before ? &g->event[before].co_next : &p->co_first;

	x->co_prev = (u16)before;
	x->co_next = *from_before;
	*from_before = (u16)w;
	if (x->co_next)
		g->event[x->co_next].co_prev = (u16)w;
	else
		p->co_last = (u16)w;
}

void graph_co_remove(struct graph *g, u32 w)
{
	struct gevent *x = &g->event[w];
	struct gplace *p = &g->place[x->loc];

	if (x->co_prev)
		g->event[x->co_prev].co_next = x->co_next;
	else
		p->co_first = x->co_next;
	if (x->co_next)
		g->event[x->co_next].co_prev = x->co_prev;
	else
		p->co_last = x->co_prev;
	x->co_prev = x->co_next = 0;
}

bool graph_in_co(const struct graph *g, u32 w)
{
	const struct gevent *x = &g->event[w];

	return x->flags & E_WRITE && (x->co_prev || g->place[x->loc].co_first == w);
}

void graph_pop(struct graph *g)
{
	u32 id = g->n--;
	struct gevent *e = &g->event[id];
	struct gthread *t = &g->thread[e->thread];

	graph_changes(g, id);
	if (graph_in_co(g, id))
		graph_co_remove(g, id);
	drop_source(g, id);
	if (listed(e))
		g->place[e->loc].reads = e->loc_prev;
	if (e->type == LABEL_END)
		t->ended = false;
	if (e->type == LABEL_CREATE)
		g->thread[e->value].create = 0;
	t->last = e->po_prev;
	t->n--;
	if (t->last) {
		g->event[t->last].po_next = 0;
		if (unlikely(g->event[t->last].flags & E_WAIT))
			graph_changes(g, t->last);
	}
	else
		t->first = 0;
	t->node = e->node;
	count_flags(g, e, -1);
}

/* --- pieces ---------------------------------------------------------------------------------- */

u64 graph_access_value(const struct graph *g, u32 e, u32 range)
{
	u64 value[PIECES_MAX];
	u32 n = 0, end = graph_after_half(g, e);

	for (u32 i = graph_half_first(g, e); i != end; i = g->event[i].po_next)
		value[n++] = g->event[i].value;
	return place_join(g->places, range, value);
}

bool graph_reads_one(const struct graph *g, u32 r)
{
	u32 source = g->event[r].rf, end = graph_after_half(g, r);
	u32 low = graph_half_first(g, source), high = graph_half_last(g, source);

	for (u32 i = graph_half_first(g, r); i != end; i = g->event[i].po_next) {
		if (g->event[i].rf < low || g->event[i].rf > high)
			return false;
	}
	return true;
}

/* The n-th piece of the half that begins there. */
static u32 nth_piece(const struct graph *g, u32 first, u32 n)
{
	while (n--)
		first = g->event[first].po_next;
	return first;
}

u32 graph_read_of_piece(const struct graph *g, u32 w)
{
	u32 first = graph_half_first(g, w);

	return nth_piece(g, graph_half_first(g, g->event[first].po_prev), w - first);
}

u32 graph_write_of_piece(const struct graph *g, u32 r)
{
	u32 w = graph_after_half(g, r), n = 0;

	for (u32 i = graph_half_first(g, r); i != r; i = g->event[i].po_next)
		n++;
	return w ? w + n : 0;
}

/* --- cutting --------------------------------------------------------------------------------- */

/* The event to which `old` has been copied, from `from` on. */
static u32 copy_of(u32 old, u32 from, u32 n)
{
	return old - from + n + 1;
}

/* Append the copied event old, whose number becomes g->n + 1. to[]: new numbers, 0 = gone. */
static void keep_event(struct graph *g, u32 old, u32 from, u32 n, const u16 *to)
{
	const struct gevent *copy = &g->event[copy_of(old, from, n)];
	u32 id = ++g->n, w;
	struct gevent *e = &g->event[id];
	struct gthread *t = &g->thread[copy->thread];

	*e = *copy;
	clock_copy(graph_clock(g, id, 0), graph_clock(g, copy_of(old, from, n), 0),
		g->lanes * g->nclocks);
	e->po_prev = t->last;
	e->po_next = e->reader_next = e->loc_prev = 0;
	if (t->last)
		g->event[t->last].po_next = (u16)id;
	else
		t->first = (u16)id;
	t->last = (u16)id;
	t->n = e->index;
	if (e->type == LABEL_CREATE)
		g->thread[e->value].create = (u16)id;
	t->ended = e->type == LABEL_END;
	if (listed(e)) {
		e->loc_prev = g->place[e->loc].reads;
		g->place[e->loc].reads = (u16)id;
	}
	if (e->rf >= from)
		e->rf = to[e->rf - from];
	if (e->flags & E_WRITE && e->co_prev != CO_NONE) {
		for (w = e->co_prev; w >= from && (w >= old || !to[w - from]);)
			w = g->event[copy_of(w, from, n)].co_prev;
		graph_co_insert(g, id, w >= from ? to[w - from] : w);
	}
	count_flags(g, e, 1);
}

/* Link the readers of the copied event i, now `id`, that do not move; the others are linked when
 * they are copied. */
static void keep_readers(struct graph *g, struct gevent *copy, u32 from, u32 id)
{
	u32 r = copy->readers, next;

	copy->readers = 0;
	for (; r; r = next) {
		next = g->event[r].reader_next;
		if (r >= from)
			continue;
		g->event[r].rf = (u16)id;
		g->event[r].reader_next = copy->readers;
		copy->readers = (u16)r;
	}
}

/* Keep events below `from`, `also`, and those in the clock, which may be an event's own. */
static u32 cut_events(struct graph *g, u32 from, u32 also, const u16 *clock)
{
	u16 *to = g->todo;
	u32 n = g->n, kept = from - 1, own = graph_half_first(g, n);

	g->known = 0; /* sources of the kept events get other numbers */
	__builtin_memcpy(&g->event[n + 1], &g->event[from], (n + 1 - from) * sizeof *g->event);
	__builtin_memcpy(graph_clock(g, n + 1, 0), graph_clock(g, from, 0),
		(n + 1 - from) * (size_t)g->lanes * g->nclocks * sizeof(u16));
	for (u32 i = from; i <= n; i++)
		to[i - from] = i == also || clock_has(g, clock, i) ? (u16)++kept : 0;
	for (u32 i = from; i <= n; i++) {
		if (to[i - from] && g->event[i].readers) {
			keep_readers(g, &g->event[copy_of(i, from, n)], from, to[i - from]);
			g->event[i].readers = 0;
		}
	}
	for (u32 i = own; i <= n && g->event[i].flags & E_WRITE; i++)
		if (!graph_in_co(g, i))
			g->event[copy_of(i, from, n)].co_prev = CO_NONE;
	for (u32 t = 0; t < g->nthreads; t++)
		g->thread[t].node_after = g->thread[t].node;
	while (g->n >= from)
		graph_pop(g);
	for (u32 i = from; i <= n; i++) {
		const struct gevent *e = &g->event[copy_of(i, from, n)];
		struct gthread *t = &g->thread[e->thread];

		if (!to[i - from])
			continue;
		keep_event(g, i, from, n, to);
		t->node = e->po_next ? g->event[copy_of(e->po_next, from, n)].node
				     : t->node_after;
	}
	for (u32 id = from; id <= g->n; id++) {
		if (g->event[id].flags & E_READ || g->event[id].rf)
			relink_source(g, id);
	}
	return also < from ? also : to[also - from];
}

u32 graph_cut(struct graph *g, u32 from, u32 also, const u16 *clock)
{
	u32 result = cut_events(g, from, also, clock);

	for (u32 i = graph_half_first(g, g->n); i <= g->n; i++)
		if (g->event[i].flags & E_WRITE && !graph_in_co(g, i))
			g->event[i].co_prev = 0;
	return result;
}

void graph_keep(struct graph *g, u32 from, const u16 *clock)
{
	u16 copy[GRAPH_THREADS] __attribute__((aligned(16)));

	clock_copy(copy, clock, g->lanes);
	cut_events(g, from, 0, copy);
}
