/* SPDX-License-Identifier: ISC */
/*
 * power.c - POWER: a store reaches each other thread in its own time; barriers are cumulative.
 *
 * Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014, figures 5, 17 and 18:
 *
 *     ppo    [R];ii;[R] | [R];ic;[W], the least fixpoint of
 *            ii = addr | data | rfi | rdw | ci | ic;ci | ii;ii
 *            ic = ii | cc | ic;cc | ii;ic
 *            ci = ctrl;isync | detour | ci;ii | cc;ci
 *            cc = addr | data | po-loc | ctrl | addr;po | ci | ci;ic | cc;cc
 *     fence  sync | lwsync without pairs of a store and a load
 *     hb     ppo | fence | rfe
 *     pb     (fence | rfe;fence);hb*
 *     prop   [W];pb;[W] | (rfe | fre | coe | fre;rfe | coe;rfe)?;pb*;sync;hb*
 *
 * hb has no cycle, co | prop has none, and fre;prop;hb* relates no event to itself.
 * Only the events on the cycles of po, rf, co and fr through the new event have a part in it.
 */
#include "model/hardware/hardware.h"
#include "model/hardware/relation.h"

struct power {
	struct relation_frame frame;
	const struct graph *g;
	u32 n;
	u16 node[MATRIX_EVENTS];     /* [n] events */
	u16 number[MATRIX_EVENTS];   /* an event's index, + 1; 0: none */
	bool fenced; /* sync or light has some pair */
	u64 *sync, *light, *ii, *ci, *cc, *ic, *rfe, *coe, *fre, *co;
};

static const struct gevent *power_event(const struct power *p, u32 i)
{
	return &p->g->event[p->node[i]];
}

static bool is_load(const struct gevent *x)
{
	return x->flags & E_READ || x->type == LABEL_START || x->type == LABEL_JOIN ||
	       x->type == LABEL_LEAVE;
}

static bool is_store(const struct gevent *x)
{
	return !is_load(x);
}

/* Does the event take part in the orders: an access, or a step of a thread? */
static bool is_node(const struct gevent *x)
{
	return event_is_access(x) || event_is_barrier(x);
}

static void power_relate(struct power *p, u64 *r, u32 a, const struct gevent *y)
{
	u32 b = p->number[y - p->g->event];

	if (b)
		relation_add(&p->frame, r, a, b - 1);
}

/* --- inside a thread -------------------------------------------------------------------------- */

struct passed_barriers {
	bool sync, light;
};

/* The barriers in front of y, or y itself. */
static void pass_barrier(const struct gevent *y, struct passed_barriers *f)
{
	bool first = y->flags & (E_READ | E_WRITE) && !(y->flags & E_WRITE && y->flags & E_EXCL);

	if (event_is_barrier(y) || event_is_fence(y, FENCE_FULL) ||
		(y->flags & E_SC && (first || event_is_fence(y, FENCE_C))))
		f->sync = true;
	else if (event_is_fence(y, FENCE_C) || event_is_fence(y, FENCE_LIGHT) ||
		 (first && y->flags & E_RELEASE))
		f->light = true;
}

static void relate_dependent(struct power *p, u32 i, const struct po_scan *s)
{
	bool data =
		scan_depends(s, BY_ADDRESS) || (s->y->flags & E_WRITE && scan_depends(s, BY_DATA));
	bool same = s->x->flags & (E_READ | E_WRITE) && s->y->flags & (E_READ | E_WRITE) &&
		    s->x->loc == s->y->loc;
	const struct gevent *source = &p->g->event[s->y->rf];
	bool outside = s->y->flags & E_READ && s->y->rf && source->thread != s->y->thread;

	if (data || (same && s->y->flags & E_READ && source == s->x) ||
		(same && outside && s->x->flags & E_READ && s->x->rf != s->y->rf))
		power_relate(p, p->ii, i, s->y);
	if (s->context || (s->x->flags & E_READ && s->x->flags & E_ACQUIRE) ||
		(same && outside && s->x->flags & E_WRITE))
		power_relate(p, p->ci, i, s->y);
	if (data || same || scan_controls(s) || s->address)
		power_relate(p, p->cc, i, s->y);
}

static void power_relate_thread(struct power *p, u32 i)
{
	struct po_scan s = scan_begin(p->g, p->node[i]);
	struct passed_barriers f = {.sync = event_is_barrier(s.x)};

	while (scan_next(&s)) {
		pass_barrier(s.y, &f);
		if (!is_node(s.y))
			continue;
		relate_dependent(p, i, &s);
		p->fenced |= (f.sync || f.light) && p->number[s.y - p->g->event];
		if (f.sync)
			power_relate(p, p->sync, i, s.y);
		if (f.light && (is_load(s.x) || is_store(s.y)))
			power_relate(p, p->light, i, s.y);
	}
}

/* --- between threads -------------------------------------------------------------------------- */

static void relate_writes_from(struct power *p, u32 i, u32 w, u64 *outside)
{
	const struct gevent *event = p->g->event, *x = power_event(p, i);

	for (; w; w = event[w].co_next) {
		if (event[w].thread != x->thread)
			power_relate(p, outside, i, &event[w]);
		if (x->flags & E_WRITE)
			power_relate(p, p->co, i, &event[w]);
	}
}

static void power_relate_threads(struct power *p, u32 i)
{
	const struct gevent *event = p->g->event, *x = power_event(p, i);

	for (u32 r = x->readers; r; r = event[r].reader_next)
		if (event[r].thread != x->thread && !gevent_is_mark(&event[r]))
			power_relate(p, p->rfe, i, &event[r]);
	if (x->flags & E_WRITE)
		relate_writes_from(p, i, x->co_next, p->coe);
	else if (x->flags & E_READ)
		relate_writes_from(p, i,
			x->rf ? event[x->rf].co_next : p->g->place[x->loc].co_first, p->fre);
	if (x->type != LABEL_ARRIVE)
		return;
	for (u32 r = p->g->place[x->loc].reads; r; r = event[r].loc_prev)
		if (event[r].type == LABEL_LEAVE && event[r].round == x->round)
			power_relate(p, p->rfe, i, &event[r]);
}

static void relate_time(struct power *p, u32 i)
{
	u32 t = graph_has_time(p->g) ? graph_time_after(p->g, p->node[i]) : 0;

	if (t && p->g->event[t].thread != power_event(p, i)->thread)
		power_relate(p, p->rfe, i, &p->g->event[t]);
}

static void fill(struct power *p)
{
	u64 **all[] = {&p->sync, &p->light, &p->ii, &p->ci, &p->cc, &p->ic, &p->rfe, &p->coe,
		&p->fre, &p->co};

	for (u32 k = 0; k < array_size(all); k++)
		*all[k] = relation_new(&p->frame);
	for (u32 i = 0; i < p->n; i++) {
		power_relate_thread(p, i);
		power_relate_threads(p, i);
		relate_time(p, i);
	}
}

/* --- the axioms ------------------------------------------------------------------------------- */

/* r restricted to loads or stores on the left, and to loads or stores on the right. */
static void keep_kinds(struct power *p, u64 *r, bool (*from)(const struct gevent *),
	bool (*to)(const struct gevent *))
{
	for (u32 i = 0; i < p->n; i++)
		for (u32 j = 0; j < p->n; j++)
			if (!from(power_event(p, i)) || !to(power_event(p, j)))
				relation_row(&p->frame, r, i)[j / 64] &= ~(1ull << j % 64);
}

static void preserve(struct power *p)
{
	const struct relation_frame *f = &p->frame;
	bool changed = true;

	while (changed) {
		changed = relation_compose(f, p->ci, p->ci, p->ii);
		changed |= relation_compose(f, p->ci, p->cc, p->ci);
		changed |= relation_join(f, p->ii, p->ci);
		changed |= relation_compose(f, p->ii, p->ic, p->ci);
		changed |= relation_compose(f, p->ii, p->ii, p->ii);
		changed |= relation_join(f, p->cc, p->ci);
		changed |= relation_compose(f, p->cc, p->ci, p->ic);
		changed |= relation_compose(f, p->cc, p->cc, p->cc);
		changed |= relation_join(f, p->ic, p->ii);
		changed |= relation_join(f, p->ic, p->cc);
		changed |= relation_compose(f, p->ic, p->ic, p->cc);
		changed |= relation_compose(f, p->ic, p->ii, p->ic);
	}
	keep_kinds(p, p->ii, is_load, is_load);
	keep_kinds(p, p->ic, is_load, is_store);
}

/* (rfe|fre|coe|fre;rfe|coe;rfe)?;pb*;sync;hb* */
static u64 *strong_part(struct power *p, const u64 *pb, const u64 *hbs)
{
	struct relation_frame *f = &p->frame;
	u64 *com = relation_copy(f, p->rfe), *pbs = relation_copy(f, pb), *r;

	relation_join(f, com, p->fre);
	relation_join(f, com, p->coe);
	relation_compose(f, com, p->fre, p->rfe);
	relation_compose(f, com, p->coe, p->rfe);
	relation_reflect(f, com);
	relation_close(f, pbs);
	relation_reflect(f, pbs);
	r = relation_then(f, p->sync, hbs);
	r = relation_then(f, pbs, r);
	return relation_then(f, com, r);
}

/* fence is changed. */
static bool is_propagated(struct power *p, u64 *fence, const u64 *hbs)
{
	struct relation_frame *f = &p->frame;
	u64 *pb, *prop, *seen;

	relation_compose(f, fence, p->rfe, relation_copy(f, fence));
	pb = relation_then(f, fence, hbs);
	prop = strong_part(p, pb, hbs);
	keep_kinds(p, pb, is_store, is_store);
	relation_join(f, prop, pb);
	seen = relation_then(f, p->fre, prop);
	seen = relation_then(f, seen, hbs);
	relation_join(f, prop, p->co);
	return !relation_reflexive(f, seen) && !relation_cyclic(f, prop);
}

static bool power_allows(struct power *p)
{
	struct relation_frame *f = &p->frame;
	u64 *hb, *fence;

	fill(p);
	preserve(p);
	fence = relation_copy(f, p->sync);
	relation_join(f, fence, p->light);
	hb = relation_copy(f, fence);
	relation_join(f, hb, p->ii);
	relation_join(f, hb, p->ic);
	relation_join(f, hb, p->rfe);
	if (relation_cyclic(f, hb))
		return false;
	if (!p->fenced)
		return true; /* nothing is propagated */
	relation_reflect(f, hb);
	return is_propagated(p, fence, hb);
}

static bool power_consistent(struct graph *g, u32 e, u32 r)
{
	struct power p = {.g = g};
	u16 found[MATRIX_EVENTS];
	u32 n;

	if (hardware_is_sc(g, e, r))
		return true;
	n = hardware_cycle_events(g, e, r, found);
	for (u32 i = 0; i < n; i++) {
		if (!is_node(&g->event[found[i]]))
			continue;
		p.node[p.n++] = found[i];
		p.number[found[i]] = (u16)p.n;
	}
	p.frame = frame_of(p.n, g->matrix);
	return power_allows(&p);
}

/* The events of a's thread only: ppo | fence. */
static bool power_keeps(struct graph *g, u32 a, u32 b)
{
	struct power p = {.g = g};
	u64 *order;

	for (u32 i = g->thread[g->event[a].thread].first; i && p.n < MATRIX_EVENTS;
		i = g->event[i].po_next)
		if (is_node(&g->event[i])) {
			p.node[p.n++] = (u16)i;
			p.number[i] = (u16)p.n;
		}
	if (!p.number[a] || !p.number[b])
		return false;
	p.frame = frame_of(p.n, g->matrix);
	fill(&p);
	preserve(&p);
	order = relation_copy(&p.frame, p.sync);
	relation_join(&p.frame, order, p.light);
	relation_join(&p.frame, order, p.ii);
	relation_join(&p.frame, order, p.ic);
	relation_close(&p.frame, order);
	return relation_has(&p.frame, order, p.number[a] - 1u, p.number[b] - 1u);
}

static const u8 power_fences[MODEL_FENCES] = {
	[HEDDLE_FENCE_FULL] = FENCE_FULL,
	[HEDDLE_FENCE_LOADS] = FENCE_LIGHT,
	[HEDDLE_FENCE_STORES] = FENCE_LIGHT,
	[HEDDLE_FENCE_LIGHT] = FENCE_LIGHT,
	[HEDDLE_FENCE_CONTEXT] = FENCE_CONTEXT,
	[HEDDLE_FENCE_READS] = FENCE_LIGHT,
};

static const struct model_costs power_costs = {
	.order = {0, 2, 2, 3, 5, 9},
	.fence = {0, 3, 3, 3, 3, 7},
};

const struct model model_power = {
	.id = MODEL_POWER,
	.has_orders = true,
	.has_clocks = true,
	.max_events = MATRIX_EVENTS,
	.includes = 1 << MODEL_SC,
	.consistent = power_consistent,
	.fences = power_fences,
	.keeps = power_keeps,
	.keeps_addresses = true,
	.costs = &power_costs,
	.language = "PPC",
};
