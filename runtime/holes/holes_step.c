/* SPDX-License-Identifier: ISC */
/* holes_step.c - threads continue over kept events, to their first hole or next step; holes.h. */
#include "holes/holes.h"
#include "model/hardware/hardware.h"
#include "trust/trust_priv.h"

/* --- labels ----------------------------------------------------------------------------------- */

const struct label *holes_label(struct holes *h, u32 t)
{
	struct trust *x = h->x;
	const struct label *l = &x->cache.node[h->g->thread[t].node].label;

	if (l->type != LABEL_UNKNOWN)
		return l;
	holes_question(h);
	return trust_next(x, t);
}

/* The sets of label l, the next one of its thread: events there are counted by their kinds, not by
 * their indices. */
static void find_sets(const struct holes *h, const struct label *l, struct hevent *e)
{
	const struct hgraph *g = h->g;
	const struct hthread *t = &g->thread[e->thread];
	const struct hardware *hw = &h->x->places->hardware;
	bool depends = l->deps && hw->table;
	u32 ordinal = 0, last = 0;

	__builtin_memset(e->set, 0, sizeof e->set);
	for (u32 f = t->upto ? t->first : 0; f; f = f == t->upto ? 0 : g->event[f].next) {
		const struct hevent *x = &g->event[f];

		ordinal++;
		last = f;
		if (x->flags & E_SYNC || !(x->flags & E_READ || x->type == LABEL_CHOOSE))
			continue;
		for (u32 k = 0; k < DEPENDENCY_KINDS && depends; k++)
			if (dependency_has(hw->table, l->deps, (enum dependency)k, ordinal))
				holes_add_element(e->set[k], x->index);
		if (x->type == LABEL_CAS && hw->llsc)
			holes_add_element(e->set[BY_CONTROL], x->index);
	}
	for (u32 i = 0; i < HOLES_WORDS && last; i++) {
		const struct hevent *x = &g->event[last];

		e->set[BY_CONTROL][i] |= x->set[BY_CONTROL][i];
		e->set[HOLES_PASSED][i] |= x->set[HOLES_PASSED][i] | x->set[BY_ADDRESS][i];
	}
}

static u16 set_elements(const u64 *set, u16 *element)
{
	u16 n = 0;

	for (u32 i = 0; i < HOLES_WORDS; i++)
		for (u64 left = set[i]; left; left &= left - 1)
			element[n++] = (u16)(64 * i + (u32)__builtin_ctzll(left));
	return n;
}

/* The model's number of the event's sets. */
static u16 record_of(const struct holes *h, const struct hevent *e)
{
	u16 element[DEPENDENCY_KINDS][HOLES_INDICES], size[DEPENDENCY_KINDS];
	const u16 *of[DEPENDENCY_KINDS];
	struct dependency_table *table = h->x->places->hardware.table;

	for (u32 k = 0; k < DEPENDENCY_KINDS; k++) {
		size[k] = set_elements(e->set[k], element[k]);
		of[k] = element[k];
	}
	return table ? (u16)dependency_intern(table, of, size) : 0;
}

/* --- events ----------------------------------------------------------------------------------- */

struct hevent holes_event(struct holes *h, u32 t, const struct label *l)
{
	struct hthread *th = &h->g->thread[t];
	const struct model *m = h->x->graph.model;
	struct hevent e = {.node = th->node,
		.loc = l->loc,
		.index = (u16)(th->index + 1),
		.type = l->type,
		.thread = (u8)t,
		.value = l->value,
		.stamp = ++h->stamp};

	if (label_reads(l))
		e.how = holes_read_orders(h, l, false, e.flags = graph_read_flags(m, l, false));
	else if (l->type == LABEL_WRITE || l->type == LABEL_PLAIN_WRITE)
		e.how = holes_write_orders(h, l, false, e.flags = graph_write_flags(m, l, false));
	else
		e.how = holes_other_orders(h, l, e.flags = graph_other_flags(m, l));
	find_sets(h, l, &e);
	e.record = h->no_sources ? 0 : record_of(h, &e);
	return e;
}

struct hevent holes_half_event(struct holes *h, u32 r)
{
	struct hevent e = h->g->event[r];
	const struct label *l = holes_label_of(h, &e);
	bool releases = false;

	if (l->type == LABEL_SYNC && !h->no_sources)
		releases = object_step(l->op, l->value, e.thread, e.value).release;
	if (!h->no_sources)
		e.value = written_value(&h->x->graph, l, e.thread, e.value);
	e.flags = (u16)(graph_write_flags(h->x->graph.model, l, true) | (releases ? E_RELEASE : 0));
	e.how = holes_write_orders(h, l, true, e.flags);
	e.rf = 0;
	e.index++;
	e.stays = e.rare = false;
	e.stamp = ++h->stamp;
	if (l->type == LABEL_CAS || (l->type == LABEL_RMW && l->op != HEDDLE_XCHG))
		holes_add_element(e.set[BY_DATA], h->g->event[r].index);
	for (u32 i = 0; i < HOLES_WORDS; i++)
		e.set[HOLES_PASSED][i] |= e.set[BY_ADDRESS][i];
	return e;
}

/* --- the position of a thread ----------------------------------------------------------------- */

static bool is_half_missing(const struct hgraph *g, u32 e)
{
	const struct hevent *x = &g->event[e];

	return holes_is_read(x) && x->flags & E_EXCL && !holes_half(g, e);
}

static u64 key_of(const struct holes *h, const struct hevent *e)
{
	const struct label *l = holes_label_of(h, e);

	if (holes_is_read(e))
		return effect_of(l, e->thread, e->value, e->rare).key;
	return e->type == LABEL_CREATE || e->type == LABEL_END || e->flags & E_WRITE ||
			       e->flags & E_FENCE
		       ? 0
		       : e->value;
}

static bool updates(const struct hevent *e)
{
	return e->type == LABEL_RMW || e->type == LABEL_CAS;
}

/* The kept event e is next: is it as before? */
static bool fits(struct holes *h, struct hevent *e, const struct label *l)
{
	struct hevent again = *e;
	struct label was = *holes_label_of(h, e), now = *l;

	was.deps = now.deps = 0;
	if (updates(e) && e->flags & E_READ && !holes_half(h->g, (u32)(e - h->g->event)))
		was.value = now.value = was.expected = now.expected = 0; /* no cause of the read */
	if (!label_equal(&was, &now))
		return false;
	find_sets(h, l, &again);
	if (e->flags & E_WRITE && e->flags & E_EXCL)
		return true; /* its read has them */
	return !__builtin_memcmp(again.set[BY_ADDRESS], e->set[BY_ADDRESS], sizeof e->set[0]) &&
	       !__builtin_memcmp(again.set[BY_CONTROL], e->set[BY_CONTROL], sizeof e->set[0]);
}

/* Pass the event e, which is next. */
static void pass_kept(struct holes *h, u32 t, u32 e)
{
	struct hgraph *g = h->g;
	struct hthread *th = &g->thread[t];
	struct hevent *x = &g->event[e];

	th->upto = (u16)e;
	th->index = x->index;
	if (x->flags & E_EXCL && x->flags & E_WRITE)
		return; /* the thread went on at its read */
	if (!(x->flags & E_EXCL) && holes_has_two(x))
		th->index++;
	if (!x->stays)
		th->node = cache_child(&h->x->cache, th->node, key_of(h, x));
	BUG_ON(!th->node);
}

static bool is_write_pending(const struct hgraph *g, u32 e)
{
	return e && holes_is_write(&g->event[e]) && !g->event[e].done;
}

/* The CREATE of a START, the END of a JOIN: have their threads been followed there? */
static bool is_partner_reached(const struct hgraph *g, const struct hevent *x)
{
	u32 upto = g->thread[g->event[x->rf].thread].upto;

	return !x->rf || holes_is_read(x) ||
	       (upto && g->event[x->rf].index <= g->event[upto].index);
}

/* Go on to the first hole of thread t, or pending write, or its end. False: x->answer, or
 * h->limit. */
static bool settle(struct holes *h, u32 t)
{
	struct hgraph *g = h->g;
	struct hthread *th = &g->thread[t];

	for (;;) {
		u32 e = th->upto ? g->event[th->upto].next : th->first;
		struct hevent *x = &g->event[e];
		const struct label *l;

		if (!e || x->index != th->index + 1 || is_write_pending(g, th->upto) ||
			(th->upto && g->event[th->upto].stays) || !is_partner_reached(g, x))
			return true;
		if (x->flags & E_WRITE && x->flags & E_EXCL) {
			x->node = g->event[th->upto].node;
		} else {
			l = holes_label(h, t);
			if (!l)
				return false;
			if (th->node != x->node && !fits(h, x, l)) {
				h->limit = "a step behind a hole is another one";
				return false;
			}
			x->node = th->node;
			if (holes_is_read(x))
				holes_read(h, g, e, x->rf, x->rare);
		}
		pass_kept(h, t, e);
	}
}

/* --- the next step ---------------------------------------------------------------------------- */

const char *holes_unsupported(const struct label *l)
{
	if (label_has_pieces(l))
		return "atomic accesses of different sizes overlap";
	if (l->again)
		return "a loop writes and restores what it has written";
	switch (l->type) {
	case LABEL_ARRIVE:
	case LABEL_LEAVE: return "barriers are used";
	case LABEL_TIME:
	case LABEL_CLOCK: return "time passes";
	case LABEL_CHOOSE: return l->op == LABEL_CAME ? "signals interrupt calls" : NULL;
	case LABEL_SYNC:
		return label_deadline(l) || label_is_init(l) ? "timed waits, or initialised objects"
							     : NULL;
	}
	return NULL;
}

static bool holes_has_ended(struct holes *h, u32 t)
{
	const struct hgraph *g = h->g;
	const struct hthread *th = &g->thread[t];
	const struct label *l;

	if (th->ended)
		return true;
	if (!th->exists || !settle(h, t) || is_write_pending(g, th->upto) ||
		(th->upto && (is_half_missing(g, th->upto) || g->event[th->upto].stays)))
		return false;
	l = holes_label(h, t);
	return l && l->type == LABEL_END && !(l->flags & LABEL_EXIT);
}

static enum hstep step_of_label(struct holes *h, const struct label *l)
{
	const char *limit = holes_unsupported(l);

	if (limit)
		h->limit = limit;
	switch (l->type) {
	case LABEL_END: return STEP_ENDED;
	case LABEL_BLOCK:
	case LABEL_SPIN: return STEP_BLOCKED;
	case LABEL_FAIL: return STEP_FAILS;
	case LABEL_JOIN: return holes_has_ended(h, l->other) ? STEP_NEW : STEP_WAITS;
	}
	return STEP_NEW;
}

static enum hstep holes_thread_step(struct holes *h, u32 t)
{
	const struct hgraph *g = h->g;
	const struct hthread *th = &g->thread[t];
	const struct label *l;

	if (!th->exists || th->ended)
		return STEP_ENDED;
	if (!settle(h, t))
		return STEP_NONE;
	if (th->upto && is_half_missing(g, th->upto) && !g->event[th->upto].stays)
		return STEP_HALF;
	if (is_write_pending(g, th->upto))
		return STEP_PROPAGATE;
	if (th->upto && g->event[th->upto].stays)
		return STEP_WAITS;
	l = holes_label(h, t);
	return l ? step_of_label(h, l) : STEP_NONE;
}

/* All threads, as far as they can go; false: x->answer, or h->limit. */
static bool settle_all(struct holes *h)
{
	bool moved = true;

	while (moved) {
		moved = false;
		for (u32 t = 0; t < h->g->nthreads; t++) {
			u32 was = h->g->thread[t].upto;

			if (!settle(h, t))
				return false;
			moved |= h->g->thread[t].upto != was;
		}
	}
	return true;
}

/*
 * Is a write pending behind the thread's hole, or an RMW without its write there? What others add
 * in between would not be canonical once it is in its place: that comes first.
 */
static bool owes_write(const struct hgraph *g, u32 t)
{
	const struct hthread *th = &g->thread[t];

	for (u32 e = th->upto ? g->event[th->upto].next : th->first; e; e = g->event[e].next)
		if (is_write_pending(g, e) || is_half_missing(g, e))
			return true;
	return false;
}

struct hnext holes_next(struct holes *h)
{
	struct hnext n = {.step = STEP_ENDED};
	bool first = false;

	if (!settle_all(h))
		return (struct hnext){.step = STEP_NONE};
	for (u32 i = 0, nthreads = h->g->nthreads; i < nthreads; i++) {
		u32 t = h->x->order == 0   ? i
			: h->x->order == 1 ? nthreads - 1 - i
					   : (i + h->x->order) % nthreads;
		enum hstep s = holes_thread_step(h, t);

		if (s == STEP_NONE || h->limit)
			return (struct hnext){.step = STEP_NONE};
		if (s == STEP_HALF || s == STEP_PROPAGATE)
			return (struct hnext){.step = s, .thread = t};
		n.blocked |= s == STEP_WAITS || s == STEP_BLOCKED;
		if (s == STEP_FAILS && !n.fails) {
			n.fails = true;
			n.failing = t;
		}
		if (first || s != STEP_NEW)
			continue;
		first = owes_write(h->g, t);
		if (first || n.step == STEP_ENDED) {
			n.step = s;
			n.thread = t;
		}
	}
	return n;
}
