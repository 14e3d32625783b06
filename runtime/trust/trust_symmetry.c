/* SPDX-License-Identifier: ISC */
/* trust_symmetry.c - see trust_symmetry.h. */
#include "trust/trust_priv.h"
#include "trust/trust_symmetry.h"

/* Events that the program performs, at most, until all twins of a thread have its label. */
#define COST_MAX 8192

struct symmetry {
	u64 between[PLACES_MAX / 64]; /* locations read while twins are created, or joined */
	u64 alone; /* threads of which labels are known that had no twins then */
	struct graph renamed;
};

void symmetry_init(struct trust *x)
{
	struct symmetry *s = x->symmetry = area_cut(&x->area, sizeof *s);

	graph_init(&s->renamed, area_cut(&x->area, graph_memory(GRAPH_THREADS, CLOCKS)),
		x->graph.model, GRAPH_THREADS, x->places);
}

void symmetry_begin(struct trust *x)
{
	x->symmetric &= ~x->awaits->different && !x->rf && !x->clock && !x->places->mixed &&
			!x->unrolls && !x->order;
	x->symmetry->alone = 0;
	__builtin_memset(x->symmetry->between, 0, sizeof x->symmetry->between);
}

/* --- twins ------------------------------------------------------------------------------------ */

/* They are not alike: begin again without them. */
static bool tell_apart(struct trust *x, u64 threads)
{
	x->awaits->different |= threads;
	x->answer = ANSWER_RESTART;
	return false;
}

/* The last event of the thread before e that is no plain read. */
static u32 before_reads(const struct graph *g, u32 e)
{
	do
		e = g->event[e].po_prev;
	while (e && g->event[e].type == LABEL_PLAIN_READ);
	return e;
}

static bool is_between(const struct trust *x, u32 loc)
{
	return x->symmetry->between[loc / 64] >> loc % 64 & 1;
}

/* Is thread t the older twin of another one? Returns that, or 0. */
static u32 younger_of(const struct graph *g, u32 t)
{
	for (u32 u = 1; u < g->nthreads; u++)
		if (g->thread[u].create && g->thread[u].twin == t + 1)
			return u;
	return 0;
}

static bool has_twins(const struct graph *g, u32 t)
{
	return g->thread[t].twin || younger_of(g, t);
}

static u32 eldest_twin(const struct graph *g, u32 t)
{
	while (g->thread[t].twin)
		t = g->thread[t].twin - 1u;
	return t;
}

static u64 all_twins(const struct graph *g, u32 t)
{
	u64 all = 0;

	for (u32 u = 1; u < g->nthreads; u++)
		if (g->thread[u].create && eldest_twin(g, u) == eldest_twin(g, t))
			all |= 1ull << u;
	return all;
}

/* A thread reads the location between the creations, or joins, of twins: they may not write it, as
 * that would race with only some of them. */
static void read_between(struct trust *x, u32 loc)
{
	const struct graph *g = &x->graph;

	x->symmetry->between[loc / 64] |= 1ull << loc % 64;
	for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next)
		if (has_twins(g, g->event[w].thread))
			tell_apart(x, all_twins(g, g->event[w].thread));
}

/* The event that creates the older twin of the thread created by e, or 0. */
static u32 older_creation(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	u32 before = before_reads(g, e);
	const struct label *l = trust_label(x, e), *older = trust_label(x, before);

	return before && g->event[before].type == LABEL_CREATE && older->value == l->value &&
			       older->other < l->other
		       ? before
		       : 0;
}

bool symmetry_is_possible(const struct trust *x)
{
	const struct graph *g = &x->graph;

	for (u32 t = 1; t < g->nthreads; t++)
		if (g->thread[t].create && older_creation(x, g->thread[t].create))
			return true;
	return false;
}

u8 symmetry_twin(struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct label *l = trust_label(x, e), *older;
	u32 before;

	if (!x->symmetric)
		return 0;
	before = older_creation(x, e);
	older = trust_label(x, before);
	if (!before ||
		(x->awaits->different >> older->other | x->awaits->different >> l->other) & 1)
		return 0;
	if ((x->symmetry->alone >> older->other | x->symmetry->alone >> l->other) & 1) {
		tell_apart(x, 1ull << older->other | 1ull << l->other);
		return 0;
	}
	x->awaits->twins |= 1ull << l->other;
	for (u32 r = g->event[e].po_prev; r != before; r = g->event[r].po_prev)
		read_between(x, g->event[r].loc);
	return (u8)(older->other + 1);
}

/* --- where they differ ------------------------------------------------------------------------ */

static u32 skip_marks(const struct graph *g, u32 e)
{
	while (e && gevent_is_mark(&g->event[e]))
		e = g->event[e].po_next;
	return e;
}

/* Have twins done, and learnt, the same so far, by events a and b after the same history? */
static bool is_common(const struct graph *g, u32 a, u32 b)
{
	const struct gevent *p = &g->event[a], *q = &g->event[b];

	if (p->type != q->type || (p->flags | q->flags) & (E_WRITE | E_EXCL | E_WAIT))
		return false;
	if (p->flags & E_READ)
		return p->rf == q->rf && !((p->flags ^ q->flags) & E_RARE);
	return p->value == q->value && (p->type != LABEL_ARRIVE || p->round == q->round);
}

/* The first events in which twins i and j differ. False: there are none yet. */
static bool find_parting(const struct graph *g, u32 i, u32 j, u32 *a, u32 *b)
{
	*a = skip_marks(g, g->thread[i].first);
	*b = skip_marks(g, g->thread[j].first);
	while (*a && *b && is_common(g, *a, *b)) {
		*a = skip_marks(g, g->event[*a].po_next);
		*b = skip_marks(g, g->event[*b].po_next);
	}
	return *a && *b;
}

static bool is_co_before(const struct graph *g, u32 w, u32 than)
{
	if (!w)
		return than;
	while (w && w != than)
		w = g->event[w].co_next;
	return w && w == than;
}

/* Does j come before its older twin i? */
static bool is_disordered(const struct graph *g, u32 i, u32 j)
{
	const struct gevent *p, *q;
	u32 a, b;

	if (!find_parting(g, i, j, &a, &b))
		return false;
	p = &g->event[a];
	q = &g->event[b];
	if (p->type != q->type || q->flags & E_WAIT)
		return false;
	if (p->flags & E_WAIT)
		return true; /* for a newer value than j has read */
	if (p->type == LABEL_CHOOSE)
		return q->value > p->value; /* the canonical choice, 0, is the last one */
	if (p->flags & q->flags & E_READ)
		return p->rf != q->rf && is_co_before(g, q->rf, p->rf);
	return p->flags & q->flags & E_WRITE && a != b && graph_in_co(g, a) && graph_in_co(g, b) &&
	       is_co_before(g, b, a);
}

bool symmetry_keeps(const struct trust *x, u32 t)
{
	const struct graph *g = &x->graph;

	for (u32 j = 1; j < g->nthreads; j++) {
		if (!g->thread[j].create)
			continue;
		for (u32 i = j; g->thread[i].twin;) {
			i = g->thread[i].twin - 1u;
			if ((t == GRAPH_THREADS || t == i || t == j) && is_disordered(g, i, j))
				return false;
		}
	}
	return true;
}

/* --- causes ----------------------------------------------------------------------------------- */

/* The last event of i that takes the place of one of the first k events of its twin j: both have
 * the same history. */
static u32 last_peer(const struct graph *g, u32 i, u32 j, u32 k)
{
	u32 a = skip_marks(g, g->thread[i].first), b = skip_marks(g, g->thread[j].first), last = 0;

	while (a && b && g->event[b].index <= k && !(g->event[a].flags & E_WAIT)) {
		last = a;
		if (!is_common(g, a, b))
			break;
		a = skip_marks(g, g->event[a].po_next);
		b = skip_marks(g, g->event[b].po_next);
	}
	return last;
}

void symmetry_close(const struct trust *x, u16 *clock)
{
	const struct graph *g = &x->graph;
	bool more = true;

	while (more) {
		more = false;
		for (u32 j = g->nthreads; j--;) {
			u32 peer;

			if (!clock[j] || !g->thread[j].create || !g->thread[j].twin)
				continue;
			peer = last_peer(g, g->thread[j].twin - 1u, j, clock[j]);
			if (clock_has(g, clock, peer))
				continue;
			clock_join(clock, graph_cause(g, peer), g->lanes);
			more = true;
		}
	}
}

/* --- joins ------------------------------------------------------------------------------------ */

/* The join before e of a thread that has a younger twin, with nothing but plain reads in between:
 * that twin is to be joined next. 0: there is none. */
static u32 last_join(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	u32 before = before_reads(g, e);

	if (!before || g->event[before].type != LABEL_JOIN)
		return 0;
	return younger_of(g, trust_label(x, before)->other) ? before : 0;
}

static void notice_join(struct trust *x, u32 e, u32 last)
{
	const struct graph *g = &x->graph;
	u32 t = trust_label(x, e)->other, older = last ? trust_label(x, last)->other : 0;

	if (last && (g->thread[t].twin != older + 1 || g->event[last].value != g->event[e].value))
		tell_apart(x, all_twins(g, older));
	if (has_twins(g, t) && (g->event[g->thread[t].create].thread != g->event[e].thread ||
				       (g->thread[t].twin && !last)))
		tell_apart(x, all_twins(g, t));
}

void symmetry_notice(struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u32 last = last_join(x, e);

	if (ev->type == LABEL_JOIN)
		notice_join(x, e, last);
	else if (last && ev->type == LABEL_PLAIN_READ)
		read_between(x, ev->loc);
	else if (last)
		tell_apart(x, all_twins(g, trust_label(x, last)->other));
	if (ev->flags & E_WRITE && is_between(x, ev->loc) && has_twins(g, ev->thread))
		tell_apart(x, all_twins(g, ev->thread));
}

/* --- labels ----------------------------------------------------------------------------------- */

/* Is it of no use to tell threads apart? */
static bool is_nameless(const struct label *l)
{
	if (l->again || l->skips || label_has_pieces(l) || label_has_time(l))
		return false;
	switch (l->type) {
	case LABEL_CHOOSE: return l->value != 1;
	case LABEL_END: return !(l->flags & LABEL_EXIT) || !l->expected;
	case LABEL_TIME:
	case LABEL_CLOCK: return false;
	case LABEL_SYNC: break;
	default: return true;
	}
	if (l->flags & LABEL_INTERRUPT)
		return false;
	return object_op_has(l->op, OP_NAMELESS);
}

/* --- the renamed graph ------------------------------------------------------------------------ */

static void swap_threads(struct graph *g, u32 i, u32 j)
{
	struct gthread *a = &g->thread[i], *b = &g->thread[j], was = *a;

	*a = *b;
	*b = was;
	b->create = a->create;
	b->twin = a->twin;
	a->create = was.create;
	a->twin = was.twin;
	for (u32 e = 1; e <= g->n; e++) {
		struct gevent *ev = &g->event[e];

		ev->thread = (u8)(ev->thread == i ? j : ev->thread == j ? i : ev->thread);
	}
}

/* The first of the joins of these threads that, with plain reads, are the last events of thread t;
 * 0: there are none. */
static u32 last_joins(const struct trust *x, const struct graph *g, u32 t, u64 twins)
{
	u32 first = 0;

	for (u32 e = g->thread[t].last; e; e = g->event[e].po_prev) {
		bool joins = g->event[e].type == LABEL_JOIN;

		if (!joins && g->event[e].type != LABEL_PLAIN_READ)
			break;
		if (joins && !(twins >> trust_label(x, e)->other & 1))
			break;
		first = joins ? e : first;
	}
	return first;
}

/* Joins of twins that are the last events of their threads have not happened; the others are of
 * the renamed ends. */
static void rename_joins(const struct trust *x, struct graph *g, u64 twins)
{
	for (u32 t = 0; t < g->nthreads; t++) {
		struct gthread *th = &g->thread[t];
		u32 first = last_joins(x, g, t, twins);

		if (!first)
			continue;
		th->node = g->event[first].node;
		th->last = g->event[first].po_prev;
		th->n = (u16)(g->event[first].index - 1);
		g->event[th->last].po_next = 0;
	}
	for (u32 e = 1; e <= g->n; e++) {
		struct gevent *ev = &g->event[e];

		if (ev->type == LABEL_START)
			ev->rf = g->thread[ev->thread].create;
		else if (ev->type == LABEL_JOIN && g->thread[trust_label(x, e)->other].ended)
			ev->rf = g->thread[trust_label(x, e)->other].last;
	}
}

/* The states of objects contain the names of threads. */
static void compute_objects(const struct trust *x, struct graph *g)
{
	for (u32 l = 0; l < g->nplaces; l++) {
		u64 value = g->places->place[l].init;

		for (u32 w = g->place[l].co_first; w; w = g->event[w].co_next) {
			struct gevent *ev = &g->event[w];

			if (!(ev->flags & E_SYNC) || !(ev->flags & E_EXCL))
				break;
			g->event[ev->po_prev].value = value;
			ev->value = value = written_value(g, trust_label(x, w), ev->thread, value);
		}
	}
	for (u32 e = 1; e <= g->n; e++) {
		struct gevent *ev = &g->event[e];

		if ((ev->flags & (E_SYNC | E_READ)) == (E_SYNC | E_READ))
			ev->value = graph_write_value(g, ev->rf, ev->loc);
	}
}

/* The graph with the names of i and j exchanged, for a question. NULL: there is no room. */
static struct graph *rename_threads(struct trust *x, u32 i, u32 j)
{
	struct graph *g = &x->symmetry->renamed;
	size_t size = graph_size(&x->graph);
	void *copy;

	if (!area_has(&x->area, size))
		return NULL;
	copy = area_take(&x->area, size);
	graph_save(&x->graph, copy);
	g->lanes = x->graph.lanes;
	graph_restore(g, copy);
	area_give(&x->area, copy, size);
	for (u32 e = 1; e <= g->n; e++)
		g->event[e].stamp = ++x->stamp;
	swap_threads(g, i, j);
	rename_joins(x, g, all_twins(g, i));
	compute_objects(x, g);
	return g;
}

/* Has thread u, a twin of t, the label l where t has it? */
static bool has_the_same(struct trust *x, u32 t, u32 u, const struct label *l)
{
	struct graph *g = rename_threads(x, t, u);
	struct label other;

	if (!g)
		return tell_apart(x, all_twins(&x->graph, t));
	x->answer = x->program->try ? x->program->try(x->program, g, u, &other)
				    : x->program->next(x->program, g, u, &other);
	if (x->answer != ANSWER_LABEL)
		return false;
	return label_equal(l, &other) ? true : tell_apart(x, all_twins(&x->graph, t));
}

/* Thread t, at l, has joined some twins: the next one, or plain reads, have to follow. Returns that
 * join, or 0. */
static u32 leaves_joins(const struct trust *x, u32 t, const struct label *l)
{
	const struct graph *g = &x->graph;
	u32 e = g->thread[t].last, older;

	while (e && g->event[e].type == LABEL_PLAIN_READ)
		e = g->event[e].po_prev;
	if (!e || g->event[e].type != LABEL_JOIN || l->type == LABEL_PLAIN_READ)
		return 0;
	older = trust_label(x, e)->other;
	if (!younger_of(g, older) || (l->type == LABEL_JOIN && l->other == younger_of(g, older)))
		return 0;
	return e;
}

bool symmetry_learn(struct trust *x, u32 t, const struct label *l)
{
	const struct graph *g = &x->graph;
	u64 twins = has_twins(g, t) ? all_twins(g, t) & ~(1ull << t) : 0;
	u32 last = g->thread[t].last, cost = 0;

	if (!is_nameless(l))
		return tell_apart(x, ~0ull);
	if (leaves_joins(x, t, l))
		return tell_apart(x,
			all_twins(g, trust_label(x, leaves_joins(x, t, l))->other));
	if (!twins) {
		x->symmetry->alone |= last ? 1ull << t : 0;
		return true;
	}
	if (l->type == LABEL_CREATE || l->type == LABEL_JOIN)
		return tell_apart(x, twins | 1ull << t);
	if (!last || l->type == LABEL_FAIL)
		return true;
	if (x->program->try && (l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE))
		return true; /* they pass it on the way to the next label of another kind */
	for (u64 left = twins; left; left &= left - 1)
		cost += g->n;
	if (cost > COST_MAX)
		return tell_apart(x, twins | 1ull << t);
	for (; twins; twins &= twins - 1)
		if (!has_the_same(x, t, (u32)__builtin_ctzll(twins), l))
			return false;
	return true;
}
