/* SPDX-License-Identifier: ISC */
/* holes.c - the loop: the choices of the next step, each a graph that is saved. See holes.h. */
#include "holes/holes.h"
#include "model/hardware/hardware.h"
#include "trust/trust_priv.h"

/* --- memory ----------------------------------------------------------------------------------- */

size_t holes_memory(void)
{
	return graph_memory(CLOCK_LANES, CLOCKS) + 2 * (sizeof(struct hgraph) + 64) + 64;
}

void holes_init(struct holes *h, struct trust *x, void *memory)
{
	u8 *at = memory;

	*h = (struct holes){.x = x, .stamp = x->stamp};
	h->fails = holes_success_orders(h);
	h->g = (struct hgraph *)at;
	at += (sizeof(struct hgraph) + 63) & ~(size_t)63;
	h->spare = (struct hgraph *)at;
	at += (sizeof(struct hgraph) + 63) & ~(size_t)63;
	graph_init(&h->check, at, x->graph.model, CLOCK_LANES, x->places);
	h->check.holes = true;
}

void holes_save(struct holes *h, const struct hgraph *g)
{
	struct area *a = &h->x->area;
	size_t size = (holes_size(g) + sizeof(size_t) + AREA_ALIGN - 1) & ~(size_t)(AREA_ALIGN - 1);
	u8 *to;

	if (!area_has(a, size)) {
		h->limit = "no room for more saved graphs";
		return;
	}
	to = area_take(a, size);
	holes_copy((struct hgraph *)to, g);
	*(size_t *)(to + size - sizeof(size_t)) = size;
}

/* The graph that was saved last becomes the current one; false: there is none. */
static bool take_saved(struct holes *h)
{
	struct area *a = &h->x->area;
	size_t size;

	if (!a->used)
		return false;
	size = *(size_t *)(a->memory + a->used - sizeof(size_t));
	holes_copy(h->g, (struct hgraph *)(a->memory + a->used - size));
	area_give(a, a->memory + a->used - size, size);
	return true;
}

/* --- its choices ------------------------------------------------------------------------------ */

void holes_read(struct holes *h, struct hgraph *g, u32 r, u32 source, bool rare)
{
	struct hevent *x = &g->event[r];
	const struct label *l = holes_label_of(h, x);
	u64 value = source ? g->event[source].value : h->x->places->place[x->loc].init;
	struct effect f = effect_of(l, x->thread, value, rare);

	x->rf = (u16)source;
	x->value = value;
	x->rare = rare;
	x->stays = !f.ready;
	x->flags = graph_read_flags(h->x->graph.model, l, f.excl);
	x->how = holes_read_orders(h, l, f.excl, x->flags);
	if (f.acquire) {
		x->flags |= E_ACQUIRE;
		x->how |= E_ACQUIRE;
	}
	x->stamp = ++h->stamp;
}

/* Save the graph, in which e has been added or propagated. */
static void save_added(struct holes *h, u32 e)
{
	struct hgraph *g = h->g;

	g->added = e;
	g->revisited = 0;
	g->filled = g->event[e].next != 0;
	holes_save(h, g);
}

/* Is it a weak CAS, or one that may fail for the time being? */
static bool can_fail(const struct holes *h, const struct hevent *e)
{
	const struct label *l = holes_label_of(h, e);

	return l->type == LABEL_CAS && ((l->flags & LABEL_WEAK && h->x->weak_cas) ||
					       (h->fails && !(e->how & E_ACQUIRE)));
}

bool holes_read_next(struct holes *h, struct hgraph *g, u32 r, u32 source, u32 way)
{
	bool fails = holes_must_fail(h, g, r, NULL);

	holes_read(h, g, r, source, false);
	if (!(g->event[r].flags & E_EXCL) || !can_fail(h, &g->event[r]))
		return !way;
	holes_read(h, g, r, source, fails || way);
	return way < 2 - (u32)fails;
}

static void save_read(struct holes *h, u32 e, u32 source)
{
	for (u32 way = 0; holes_read_next(h, h->g, e, source, way); way++)
		save_added(h, e);
}

/* All sources: the initial value, writes in co, and own pending writes before it. */
static void try_read_sources(struct holes *h, u32 e)
{
	const struct hgraph *g = h->g;
	u32 loc = g->event[e].loc;

	save_read(h, e, 0);
	for (u32 w = 1; w <= g->n; w++) {
		const struct hevent *x = &g->event[w];

		if (!holes_is_write(x) || x->loc != loc)
			continue;
		if (x->thread == g->event[e].thread ? x->index < g->event[e].index : x->at)
			save_read(h, e, w);
	}
}

/* All places in co, then the revisits by it. */
static void try_places(struct holes *h, u32 w)
{
	struct hgraph *g = h->g;
	u32 n = holes_writes(g, g->event[w].loc) + 1;

	g->event[w].at = (u16)n; /* as the last one */
	holes_revisits(h, w);
	g->event[w].at = 0;
	for (u32 at = n; at; at--) {
		struct hgraph *to = h->spare;

		holes_copy(to, g);
		holes_place(to, w, at);
		to->added = w;
		to->revisited = 0;
		to->filled = g->event[w].next != 0;
		to->event[w].stamp = ++h->stamp;
		holes_save(h, to);
	}
}

static u32 event_of_type(const struct hgraph *g, u32 type, u32 t, u64 value)
{
	for (u32 e = 1; e <= g->n; e++)
		if (g->event[e].type == type && (type == LABEL_CREATE ? g->event[e].value == value
								      : g->event[e].thread == t))
			return e;
	return 0;
}

/* The last state of a block of the heap. */
static u64 block_value(const struct holes *h, u32 loc)
{
	const struct hgraph *g = h->g;

	for (u32 e = g->n; e; e--)
		if (g->event[e].flags & E_HEAP && g->event[e].flags & E_WRITE &&
			g->event[e].loc == loc)
			return g->event[e].value;
	return h->x->places->place[loc].init;
}

/* Fill in events that neither read from other threads nor write for them. */
static void complete_other(struct holes *h, struct hevent *e, const struct label *l)
{
	struct hgraph *g = h->g;

	switch (l->type) {
	case LABEL_CREATE:
		e->value = l->other;
		g->thread[l->other] =
			(struct hthread){.exists = true, .node = cache_root(l->other)};
		if (l->other >= g->nthreads)
			g->nthreads = l->other + 1u;
		break;
	case LABEL_START:
		e->rf = (u16)event_of_type(g, LABEL_CREATE, 0, e->thread);
		e->value = e->rf ? holes_label_of(h, &g->event[e->rf])->value : 0;
		break;
	case LABEL_JOIN:
		e->rf = (u16)event_of_type(g, LABEL_END, l->other, 0);
		e->value = holes_label_of(h, &g->event[e->rf])->value;
		break;
	case LABEL_END: g->thread[e->thread].ended = true; break;
	case LABEL_CHOOSE: e->value = 0; break;
	case LABEL_PLAIN_READ: e->value = block_value(h, l->loc); break;
	}
}

/* The other numbers of a choice. */
static void save_choices(struct holes *h, u32 e, u64 n)
{
	struct hevent *x = &h->g->event[e];

	for (u64 k = n - 1; k; k--) {
		x->value = k;
		x->stamp = ++h->stamp;
		holes_save(h, h->g);
	}
	x->value = 0;
}

static void add_write(struct holes *h, const struct hevent *e)
{
	u32 w = holes_add(h->g, e);

	holes_find_late(h, w);
	try_places(h, w);
}

/* The write of the RMW that thread t is at. */
static void add_half(struct holes *h, u32 t)
{
	struct hevent e = holes_half_event(h, h->g->thread[t].upto);

	add_write(h, &e);
}

/* Is e after a CAS that fails for the time being? Then no graph is cut between them. */
static bool is_after_failing(const struct holes *h, const struct hevent *e)
{
	const struct hgraph *g = h->g;

	for (u32 r = g->thread[e->thread].first; r; r = g->event[r].next)
		if (g->event[r].index < e->index && holes_fails_for_now(h, &g->event[r]) &&
			(holes_in(e->set[BY_CONTROL], g->event[r].index) ||
				holes_in(e->set[BY_ADDRESS], g->event[r].index) ||
				holes_in(e->set[HOLES_PASSED], g->event[r].index)))
			return true;
	return false;
}

/* Returns whether the graph has its one continuation; else they are all saved. */
static bool add_next(struct holes *h, u32 t)
{
	struct hgraph *g = h->g;
	const struct label *l = holes_label(h, t);
	struct hevent e;
	u32 id;

	if (l->type == LABEL_JOIN && !g->thread[l->other].ended) {
		t = l->other;
		l = holes_label(h, t);
	}
	graph_know_place(&h->x->graph, l->loc);
	graph_know_place(&h->check, l->loc);
	e = holes_event(h, t, l);
	if (is_after_failing(h, &e))
		return false;
	if (holes_is_read(&e)) {
		try_read_sources(h, holes_add(g, &e));
		return false;
	}
	if (holes_is_write(&e)) {
		add_write(h, &e);
		return false;
	}
	complete_other(h, &e, l);
	id = holes_add(g, &e);
	if (l->type == LABEL_CHOOSE && l->value > 1)
		save_choices(h, id, l->value);
	return true;
}

/* --- the loop --------------------------------------------------------------------------------- */

static bool has_holes_room(struct holes *h)
{
	const struct hgraph *g = h->g;

	if (g->n + 4 >= HOLES_EVENTS)
		h->limit = "more than 500 steps";
	for (u32 t = 0; t < g->nthreads; t++)
		if (g->thread[t].index + 4 >= HOLES_INDICES)
			h->limit = "a thread of more than 120 steps";
	if (cache_is_full(&h->x->cache, 1000))
		h->limit = "too many steps are known";
	return !h->limit;
}

/* Extend the current graph until its choices are saved. */
static bool extend(struct holes *h)
{
	for (;;) {
		struct hnext n;

		if (!has_holes_room(h))
			return false;
		n = holes_next(h);
		switch (n.step) {
		case STEP_NONE: return false;
		case STEP_HALF: add_half(h, n.thread); return !h->limit;
		case STEP_PROPAGATE:
			h->g->event[h->g->thread[n.thread].upto].done = (u16)++h->g->places;
			try_places(h, h->g->thread[n.thread].upto);
			return !h->limit;
		case STEP_NEW:
			if (!add_next(h, n.thread))
				return !h->limit;
			break;
		default: return holes_visit_leaf(h, &n);
		}
	}
}

bool holes_run(struct holes *h)
{
	struct trust *x = h->x;

	x->answer = ANSWER_LABEL;
	area_clear(&x->area);
	*h->g = (struct hgraph){.nthreads = 1, .thread = {{.exists = true, .node = cache_root(0)}}};
	holes_save(h, h->g);
	while (take_saved(h)) {
		h->visited++;
		if (holes_consistent(h) && !extend(h))
			return false;
		if (trust_enough(x))
			return false;
	}
	return true;
}
