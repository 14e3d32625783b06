/* SPDX-License-Identifier: ISC */
/*
 * imm.c - the intermediate memory model: RC11, with dependencies in place of all of po.
 *
 * Podkopaev, Lahav, Vafeiadis, "Bridging the gap between programming languages and hardware weak
 * memory models", POPL 2019. Beyond coherence, atomicity and psc, which are RC11's, no cycle of
 *
 *     ar     rfe | bob | ppo | detour | [Fsc];hb;eco;hb;[Fsc]
 *     bob    po;[Wrel] | [Racq];po | po;[F] | [F];po | [Wrel];po-loc;[W] | [sc];po;[sc]
 *     ppo    [R];(data | ctrl | addr;po? | [R of an RMW];po | rfi)+;[W]
 *     detour po & (coe;rfe)
 *
 * Without load buffering, po and rf have no cycle; so only those with seq_cst fences are left.
 */
#include "model/hardware/hardware.h"
#include "model/hardware/relation.h"

struct imm {
	struct relation_frame frame;
	const struct graph *g;
	u32 n;
	u16 node[MATRIX_EVENTS];
	u16 number[MATRIX_EVENTS]; /* an event's index, + 1; 0: none */
	u64 *order, *depends, *hb, *eco;
};

static bool is_sc_fence(const struct gevent *x)
{
	return x->flags & E_FENCE && x->flags & E_SC;
}

static bool is_fence(const struct gevent *x)
{
	return x->flags & E_FENCE || event_is_barrier(x);
}

static void imm_relate(struct imm *m, u64 *r, u32 a, const struct gevent *y)
{
	u32 b = m->number[y - m->g->event];

	if (b)
		relation_add(&m->frame, r, a, b - 1);
}

/* bob and detour, of x before y. */
static bool imm_keeps(const struct graph *g, const struct gevent *x, const struct gevent *y)
{
	bool same = x->flags & E_WRITE && y->flags & (E_READ | E_WRITE) && x->loc == y->loc;

	if (is_fence(x) || is_fence(y) || (x->flags & E_SC && y->flags & E_SC))
		return true;
	if ((y->flags & E_WRITE && y->flags & E_RELEASE) ||
		(x->flags & E_READ && x->flags & E_ACQUIRE))
		return true;
	if (y->flags & E_WRITE)
		return same && x->flags & E_RELEASE;
	return same && y->rf && g->event[y->rf].thread != y->thread;
}

static void imm_relate_thread(struct imm *m, u32 i)
{
	struct po_scan s = scan_begin(m->g, m->node[i]);
	bool updates = s.x->flags & E_READ && event_is_rmw(s.x);

	while (scan_next(&s)) {
		if (imm_keeps(m->g, s.x, s.y))
			imm_relate(m, m->order, i, s.y);
		if (updates || scan_controls(&s) || s.address || scan_depends(&s, BY_ADDRESS) ||
			scan_depends(&s, BY_DATA) ||
			(s.y->flags & E_READ && &m->g->event[s.y->rf] == s.x))
			imm_relate(m, m->depends, i, s.y);
	}
}

/* rf into eco and order; co and fr into eco. */
static void imm_relate_threads(struct imm *m, u32 i)
{
	const struct gevent *event = m->g->event, *x = &event[m->node[i]];
	u32 w = x->flags & E_WRITE  ? x->co_next
		: !(x->flags & E_READ) ? 0
		: x->rf		       ? event[x->rf].co_next
				       : m->g->place[x->loc].co_first;

	for (u32 r = x->readers; r; r = event[r].reader_next) {
		if (gevent_is_mark(&event[r]))
			continue;
		imm_relate(m, m->eco, i, &event[r]);
		if (event[r].thread != x->thread)
			imm_relate(m, m->order, i, &event[r]);
	}
	for (; w; w = event[w].co_next)
		imm_relate(m, m->eco, i, &event[w]);
}

static void imm_relate_hb(struct imm *m, u32 i)
{
	for (u32 j = 0; j < m->n; j++)
		if (j != i && clock_has(m->g, graph_hb(m->g, m->node[j]), m->node[i]))
			relation_add(&m->frame, m->hb, i, j);
}

/* order |= ppo; depends is transitive. */
static void imm_preserve(struct imm *m)
{
	for (u32 i = 0; i < m->n; i++)
		for (u32 j = 0; j < m->n; j++)
			if (m->g->event[m->node[i]].flags & E_READ &&
				m->g->event[m->node[j]].flags & E_WRITE &&
				relation_has(&m->frame, m->depends, i, j))
				relation_add(&m->frame, m->order, i, j);
}

static void imm_relate_all(struct imm *m)
{
	struct relation_frame *f = &m->frame;

	m->order = relation_new(f);
	m->depends = relation_new(f);
	m->hb = relation_new(f);
	m->eco = relation_new(f);
	for (u32 i = 0; i < m->n; i++) {
		imm_relate_thread(m, i);
		imm_relate_threads(m, i);
	}
	relation_close(f, m->depends);
	relation_close(f, m->eco);
}

/* Has ar no cycle? hb is known. */
static bool is_acyclic(struct imm *m)
{
	struct relation_frame *f = &m->frame;
	u64 *far;

	far = relation_then(f, relation_then(f, m->hb, m->eco), m->hb);
	imm_preserve(m);
	for (u32 i = 0; i < m->n; i++)
		for (u32 j = 0; j < m->n; j++)
			if (is_sc_fence(&m->g->event[m->node[i]]) &&
				is_sc_fence(&m->g->event[m->node[j]]) && relation_has(f, far, i, j))
				relation_add(f, m->order, i, j);
	return !relation_cyclic(f, m->order);
}

/* --- with load buffering ------------------------------------------------------------------------
 *
 * Clocks cannot describe such a graph; and every axiom may forbid it.
 */

static bool releases(const struct gevent *x)
{
	return x->flags & E_RELEASE && !(x->flags & E_PLAIN);
}

/* Does a release happen by the write: is it one, or behind a release fence? From these events,
 * which include those of RMWs that it goes on from. */
static void imm_synchronise(struct imm *m, const struct gevent *w, u32 reader)
{
	const struct gevent *event = m->g->event, *y = &event[m->node[reader]], *x, *r;

	for (x = w; x; x = x->po_prev ? &event[x->po_prev] : NULL) {
		bool fence = x->flags & E_FENCE && releases(x) && !(w->flags & E_PLAIN);
		u32 a = m->number[x - event];

		if (!a || !(fence || (x == w && releases(x))))
			continue;
		if (y->flags & E_ACQUIRE)
			relation_add(&m->frame, m->hb, a - 1, reader);
		for (r = y; r; r = r->po_next ? &event[r->po_next] : NULL)
			if (r->flags & E_FENCE && r->flags & E_ACQUIRE)
				imm_relate(m, m->hb, a - 1, r);
	}
	if (w->flags & E_EXCL && event[w->po_prev].rf)
		imm_synchronise(m, &event[event[w->po_prev].rf], reader);
}

/* po and synchronises-with. */
static void imm_find_hb(struct imm *m)
{
	const struct gevent *event = m->g->event;

	for (u32 i = 0; i < m->n; i++) {
		const struct gevent *x = &event[m->node[i]];

		for (u32 j = 0; j < m->n; j++)
			if (event[m->node[j]].thread == x->thread &&
				event[m->node[j]].index > x->index)
				relation_add(&m->frame, m->hb, i, j);
		if (x->rf && x->flags & E_READ && !(x->flags & E_PLAIN))
			imm_synchronise(m, &event[x->rf], i);
		else if (x->rf && !(x->flags & E_READ) && m->number[x->rf])
			relation_add(&m->frame, m->hb, m->number[x->rf] - 1u, i);
	}
	relation_close(&m->frame, m->hb);
}

static bool share_location(const struct gevent *x, const struct gevent *y)
{
	return x->flags & (E_READ | E_WRITE) && y->flags & (E_READ | E_WRITE) && x->loc == y->loc;
}

/* po | pol;hb;pol | hb on one location | co | fr: see rc11.c. */
static u64 *imm_scb(struct imm *m)
{
	struct relation_frame *f = &m->frame;
	u64 *scb = relation_new(f), *pol = relation_new(f);

	for (u32 i = 0; i < m->n; i++) {
		const struct gevent *event = m->g->event, *x = &event[m->node[i]];
		u32 w = x->flags & E_WRITE     ? x->co_next
			: !(x->flags & E_READ) ? 0
			: x->rf		       ? event[x->rf].co_next
					       : m->g->place[x->loc].co_first;

		for (; w; w = event[w].co_next)
			imm_relate(m, scb, i, &event[w]);
		for (u32 j = 0; j < m->n; j++) {
			const struct gevent *y = &event[m->node[j]];
			bool po = x->thread == y->thread && x->index < y->index;

			if (po || (share_location(x, y) && relation_has(f, m->hb, i, j)))
				relation_add(f, scb, i, j);
			if (po && !share_location(x, y))
				relation_add(f, pol, i, j);
		}
	}
	relation_join(f, scb, relation_then(f, relation_then(f, pol, m->hb), pol));
	return scb;
}

static bool imm_psc_acyclic(struct imm *m)
{
	struct relation_frame *f = &m->frame;
	u64 *left = relation_new(f), *right = relation_new(f), *psc, *hb = relation_copy(f, m->hb);
	u64 *fences = relation_then(f, relation_then(f, m->hb, m->eco), m->hb);

	relation_join(f, fences, m->hb);
	relation_reflect(f, hb);
	for (u32 i = 0; i < m->n; i++) {
		const struct gevent *x = &m->g->event[m->node[i]];

		if (!(x->flags & E_SC))
			continue;
		relation_add(f, left, i, i);
		relation_add(f, right, i, i);
		for (u32 j = 0; j < m->n && is_sc_fence(x); j++) {
			if (relation_has(f, hb, i, j))
				relation_add(f, left, i, j);
			if (relation_has(f, hb, j, i))
				relation_add(f, right, j, i);
		}
	}
	psc = relation_then(f, relation_then(f, left, imm_scb(m)), right);
	for (u32 i = 0; i < m->n; i++)
		for (u32 j = 0; j < m->n; j++)
			if (is_sc_fence(&m->g->event[m->node[i]]) &&
				is_sc_fence(&m->g->event[m->node[j]]) &&
				relation_has(f, fences, i, j))
				relation_add(f, psc, i, j);
	return !relation_cyclic(f, psc);
}

static bool imm_allows_holes(struct graph *g)
{
	struct imm m = {.g = g};

	for (u32 i = 1; i <= g->n; i++) {
		if (event_is_aside(&g->event[i]))
			continue;
		m.node[m.n++] = (u16)i;
		m.number[i] = (u16)m.n;
	}
	m.frame = frame_of(m.n, g->matrix);
	imm_relate_all(&m);
	imm_find_hb(&m);
	if (relation_reflexive(&m.frame, m.hb) ||
		relation_reflexive(&m.frame, relation_then(&m.frame, m.hb, m.eco)))
		return false;
	return is_acyclic(&m) && (!g->nsc || imm_psc_acyclic(&m));
}

static bool imm_consistent(struct graph *g, u32 e, u32 r)
{
	struct imm m = {.g = g};
	u32 fences = 0;

	if (g->holes)
		return imm_allows_holes(g);
	if (hardware_is_sc(g, e, r))
		return true;
	if (!model_rc11.consistent(g, e, r))
		return false;
	if (!g->nsc)
		return true;
	m.n = hardware_cycle_events(g, e, r, m.node);
	for (u32 i = 0; i < m.n; i++) {
		m.number[m.node[i]] = (u16)(i + 1);
		fences += is_sc_fence(&g->event[m.node[i]]);
	}
	if (!fences)
		return true;
	m.frame = frame_of(m.n, g->matrix);
	imm_relate_all(&m);
	for (u32 i = 0; i < m.n; i++)
		imm_relate_hb(&m, i);
	return is_acyclic(&m);
}

/* The events of a's thread only: bob | ppo | detour. */
static bool imm_keeps_after(struct graph *g, u32 a, u32 b)
{
	struct imm m = {.g = g};

	for (u32 i = g->thread[g->event[a].thread].first; i && m.n < MATRIX_EVENTS;
		i = g->event[i].po_next) {
		m.node[m.n++] = (u16)i;
		m.number[i] = (u16)m.n;
	}
	m.frame = frame_of(m.n, g->matrix);
	m.order = relation_new(&m.frame);
	m.depends = relation_new(&m.frame);
	for (u32 i = 0; i < m.n; i++)
		imm_relate_thread(&m, i);
	relation_close(&m.frame, m.depends);
	imm_preserve(&m);
	relation_close(&m.frame, m.order);
	return m.number[a] && m.number[b] &&
	       relation_has(&m.frame, m.order, m.number[a] - 1u, m.number[b] - 1u);
}

const struct model model_imm = {
	.id = MODEL_IMM,
	.has_orders = true,
	.has_clocks = true,
	.has_sc_events = true,
	.max_events = MATRIX_EVENTS,
	.includes = 1 << MODEL_SC,
	.consistent = imm_consistent,
	.keeps = imm_keeps_after,
};
