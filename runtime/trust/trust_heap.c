/* SPDX-License-Identifier: ISC */
/*
 * trust_heap.c - accesses to heap memory outside of its blocks' lifetimes, found in a graph.
 *
 * Idea.   Each block of the heap has a location of its own: allocating the block is a plain
 *         write of its size + 1 there, freeing it one of 0 (LABEL_HEAP). Every access, and every
 *         operation on a synchronisation object, names its block. The execution is correct iff the
 *         allocation happens before each access, each access before the free, and there is one
 *         free. So an access is compared with the writes of its block's location, a free with all
 *         accesses to the block.
 * Where.  An access is an event only if other threads touch the same bytes. All other accesses to a
 *         block that several threads use or free are one plain read of the block's location for
 *         each event of the thread (graph/execute_heap.c).
 * No choices. These events are plain, so they make no executions.
 *
 * Kokologiannakis 2023 (model/graph.h), 8.3.
 */
#include "trust/trust_priv.h"

/* The events that happen before e; they exist even if e itself is an error. */
static const u16 *causes_of(const struct trust *x, const struct gevent *ev, u32 e)
{
	const struct graph *g = &x->graph;
	u32 at = ev->flags & E_PLAIN ? ev->po_prev : e;

	if (ev->flags & E_READ && g->event[ev->rf].flags & E_PLAIN)
		at = ev->po_prev;
	return x->heap_cause ? graph_cause(g, at) : graph_hb(g, at);
}

static bool frees(const struct graph *g, u32 w)
{
	return w && !g->event[w].value;
}

/* The allocation or free that makes access e to block h an error, 0 = none: the block must be
 * allocated before, and not freed. */
static u32 fault_of_use(const struct trust *x, u32 e, u32 h)
{
	const struct graph *g = &x->graph;
	const u16 *clock = causes_of(x, &g->event[e], e);
	u32 w = h < g->nplaces ? g->place[h].co_last : 0, unordered = 0;

	for (; w && !clock_has(g, clock, w); w = g->event[w].co_prev)
		unordered = trust_passes(x, e, w) ? unordered : w;
	return frees(g, w) && !trust_passes(x, e, w) ? w : unordered;
}

/* The event that makes the free e of block h an error, 0 = none: it must be the only one, and after
 * all accesses. */
static u32 fault_of_free(const struct trust *x, u32 e, u32 h)
{
	const struct graph *g = &x->graph;
	const u16 *clock = causes_of(x, &g->event[e], e);
	u32 prev = g->event[e].co_prev;

	if ((frees(g, prev) || !clock_has(g, clock, prev)) && !trust_passes(x, e, prev))
		return prev;
	for (u32 i = x->heap_uses ? g->n : 0; i; i--) {
		const struct gevent *ev = &g->event[i];

		if (!(ev->flags & (E_READ | E_WRITE)) || ev->flags & E_WAIT || i == e)
			continue;
		if (!clock_has(g, clock, i) && label_block(trust_label(x, i)) == h &&
			!trust_passes(x, e, i))
			return i;
	}
	return 0;
}

/* The part of its location that a plain access touches. */
static u32 part_of(const struct label *l)
{
	u32 bytes = label_bytes(l);

	return bytes ? bytes : 0xffff;
}

/* Does the read see the initial value? Writes to other bytes of the location were merged with the
 * older value. */
static bool reads_initial(const struct trust *x, const struct gevent *ev, const struct label *l)
{
	const struct graph *g = &x->graph;
	const struct label *w;

	if (l->type != LABEL_PLAIN_READ)
		return !ev->rf;
	for (u32 rf = ev->rf; rf; rf = g->event[g->event[rf].po_prev].rf) {
		w = trust_label(x, rf);
		if (w->type != LABEL_PLAIN_WRITE || part_of(w) & part_of(l) ||
			!g->event[rf].po_prev)
			return false;
	}
	return true;
}

/* Does e (for an RMW, its read) use a value that was never stored? That is an error by itself. */
static u32 fault_of_value(const struct trust *x, u32 e)
{
	const struct gevent *ev = &x->graph.event[e];
	const struct label *l = trust_label(x, e);

	if (likely(!(l->flags & LABEL_UNINIT)))
		return 0;
	if (ev->flags & E_WRITE && ev->flags & E_EXCL)
		ev = &x->graph.event[ev->po_prev];
	return ev->flags & E_READ && reads_initial(x, ev, l) && !trust_passes(x, e, e) ? e : 0;
}

static u32 heap_fault(const struct trust *x, u32 e)
{
	const struct gevent *ev = &x->graph.event[e];
	const struct label *l = trust_label(x, e);
	u32 h = label_block(l), other;

	if (likely(!h) || ev->flags & E_WAIT)
		return 0;
	other = fault_of_value(x, e);
	if (other && !fault_of_use(x, e, h))
		return other;
	if (!(ev->flags & E_HEAP) || ev->flags & E_READ)
		return x->heap_uses ? fault_of_use(x, e, h) : 0;
	return ev->value ? 0 : fault_of_free(x, e, h);
}

u32 trust_fault(const struct trust *x, u32 e, enum leaf *how)
{
	u32 other = trust_race(x, e);

	*how = other ? LEAF_RACE : LEAF_HEAP;
	return likely(other || !x->heap) ? other : heap_fault(x, e);
}
