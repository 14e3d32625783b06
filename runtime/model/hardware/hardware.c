/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "model/hardware/hardware.h"

static u32 event_number(const struct graph *g, const struct gevent *x)
{
	return (u32)(x - g->event);
}

/* Does the value that an RMW writes depend on the one it has read? */
static bool computes(const struct gevent *w)
{
	return w->type == LABEL_CAS || (w->type == LABEL_RMW && w->op != HEDDLE_XCHG);
}

/* Its number in its thread, 1 first, marks not counted. */
static u32 ordinal_of(const struct graph *g, const struct gevent *x)
{
	u32 n = x->index;

	for (u32 e = g->nmarks ? x->po_prev : 0; e; e = g->event[e].po_prev)
		n -= gevent_is_mark(&g->event[e]);
	return n;
}

/* Does y depend on x, an earlier event of its thread? */
static bool depends(
	const struct graph *g, const struct gevent *x, const struct gevent *y, enum dependency how)
{
	const struct hardware *h = &g->places->hardware;

	if (!(x->flags & E_READ || x->type == LABEL_CHOOSE) || x->flags & E_SYNC)
		return false;
	if (h->dependencies == DEPENDENCIES_ALL)
		return true;
	if (how == BY_CONTROL && x->type == LABEL_CAS && h->llsc)
		return true; /* it compares, and branches */
	if (how == BY_DATA && y->flags & E_READ && y->type == LABEL_CAS)
		return false; /* its write does, if there is one */
	if (how == BY_DATA && y->flags & E_EXCL && y->flags & E_WRITE &&
		y->po_prev == event_number(g, x))
		return computes(y);
	return y->deps && h->table && dependency_has(h->table, y->deps, how, ordinal_of(g, x));
}

bool scan_depends(const struct po_scan *s, enum dependency how)
{
	return depends(s->g, s->x, s->y, how);
}

bool scan_controls(const struct po_scan *s)
{
	return s->control || (s->y->flags & E_WRITE && scan_depends(s, BY_PICK));
}

bool scan_next(struct po_scan *s)
{
	if (s->y != s->x) {
		if (event_is_fence(s->y, FENCE_CONTEXT))
			s->context |= s->control;
		s->address |= scan_depends(s, BY_ADDRESS);
		s->stores |= s->y->flags & E_WRITE &&
			     (scan_depends(s, BY_ADDRESS) || scan_depends(s, BY_DATA));
	}
	do {
		if (!s->y->po_next)
			return false;
		s->y = &s->g->event[s->y->po_next];
	} while (event_is_aside(s->y));
	s->control |= scan_depends(s, BY_CONTROL);
	return true;
}

u32 scan_written(const struct po_scan *s)
{
	const struct gevent *w = s->y;

	while (w != s->x) {
		w = &s->g->event[w->po_prev];
		if (w->flags & E_WRITE && w->loc == s->y->loc)
			return event_number(s->g, w);
	}
	return 0;
}

bool scan_forwards(const struct po_scan *s)
{
	u32 w;

	if (!s->stores || !(s->y->flags & E_READ))
		return false;
	w = scan_written(s);
	return w && (depends(s->g, s->x, &s->g->event[w], BY_ADDRESS) ||
			    depends(s->g, s->x, &s->g->event[w], BY_DATA));
}

enum kept hardware_kept(struct graph *g, u32 a, u32 b)
{
	const struct gevent *x = &g->event[a], *y = &g->event[b];
	struct po_scan s = scan_begin(g, a);

	if (!g->model->keeps || !g->model->keeps(g, a, b))
		return KEPT_NOT;
	if (depends(g, x, y, BY_ADDRESS))
		return KEPT_ADDRESS;
	if (depends(g, x, y, BY_DATA))
		return KEPT_DATA;
	while (s.y != y && scan_next(&s))
		;
	return y->flags & E_WRITE && scan_controls(&s) ? KEPT_CONTROL : KEPT_ORDER;
}

/* --- cycles ----------------------------------------------------------------------------------- */

bool hardware_is_sc(struct graph *g, u32 e, u32 r)
{
	return model_sc.consistent(g, e, r);
}

/* Is one of these directly after e? */
static bool leads_to(struct graph *g, u32 e, const bool *these)
{
	u32 n = model_sc.after(g, e);

	for (u32 i = 0; i < n; i++)
		if (these[g->todo[i]])
			return true;
	return false;
}

/* Events reachable from e or r, the highest first. */
static u32 reached_events(struct graph *g, u32 e, u32 r, u16 *reached)
{
	u32 n = 0, epoch;

	do {
		epoch = walk_all(g, e, WALK_ALL, walk_po);
	} while (r && walk_all(g, r, WALK_ALL, walk_po) < epoch); /* epochs began again */
	for (u32 i = g->n; i; i--)
		if (g->mark[i] >= epoch || i == e || i == r)
			reached[n++] = (u16)i;
	return n;
}

u32 hardware_cycle_events(struct graph *g, u32 e, u32 r, u16 *node)
{
	u16 *reached = g->cycle;
	bool *on = (bool *)(g->cycle + GRAPH_EVENTS + 1), changed = true;
	u32 n = reached_events(g, e, r, reached), m = 0;

	__builtin_memset(on, 0, g->n + 1);
	on[e] = on[r] = true;
	on[0] = false;
	while (changed) {
		changed = false;
		for (u32 i = 0; i < n; i++) {
			if (!on[reached[i]] && leads_to(g, reached[i], on))
				changed = on[reached[i]] = true;
		}
	}
	while (n--)
		if (on[reached[n]])
			node[m++] = reached[n];
	return m;
}
