/* SPDX-License-Identifier: ISC */
/*
 * acyclic.h - is there a cycle through one event? The walk that the models share.
 *
 * A graph that was acyclic without the event e can only have cycles through e. So walk from e along
 * po (or the part that the model preserves), rf, co and fr, by immediate edges, and see whether e
 * is reached again. Linear in the graph. An access of several pieces is one node.
 */
#ifndef MODEL_ACYCLIC_H
#define MODEL_ACYCLIC_H

#include "model/pieces.h"
#include "model/visit.h"

struct acyclic_walk {
	struct graph *g;
	u32 goal;
	u32 n; /* g->todo[0..n): still to be expanded */
	bool found;
};

static inline void walk_visit(struct acyclic_walk *w, u32 e)
{
	if (!e || w->g->mark[e] == w->g->epoch)
		return;
	w->g->mark[e] = w->g->epoch;
	if (e == w->goal)
		w->found = true;
	w->g->todo[w->n++] = (u16)e;
}

/* The po of models that keep all of it. */
static inline void walk_po(struct acyclic_walk *w, u32 e)
{
	walk_visit(w, w->g->event[e].po_next);
}

/* TSO, PSO: is the store not delayed in a store buffer? Then its po successors are ordered after
 * it. */
static inline bool walk_in_order(const struct gevent *e)
{
	return !(e->flags & E_WRITE) || e->flags & (E_FULL | E_FULL_AFTER);
}

/* The edges of a walk, besides po, rf to other threads, co, START and JOIN. WALK_WAITS: rf inside a
 * thread to a load that no single store covers: with store buffers, it waits for the stores.
 * WALK_KERNEL_FR: fr of kernel objects only. WALK_KERNEL_CO: co, too. */
enum {
	WALK_RFI = 1,
	WALK_FR = 2,
	WALK_WAITS = 4,
	WALK_KERNEL_FR = 8,
	WALK_KERNEL_CO = 16,
	WALK_ALL = WALK_RFI | WALK_FR,
	WALK_KERNEL = WALK_RFI | WALK_KERNEL_FR | WALK_KERNEL_CO,
};

/* An operation on a kernel object: all threads agree on the order of these. */
static inline bool walk_is_kernel(const struct gevent *e)
{
	return (e->flags & (E_SYNC | E_SC)) == (E_SYNC | E_SC);
}

static inline bool walk_waits(const struct graph *g, u32 r, u32 edges)
{
	return edges & WALK_WAITS && unlikely(g->event[r].flags & E_PIECE) &&
	       !graph_reads_one(g, r);
}

static inline __attribute__((always_inline)) void walk_communication(
	struct acyclic_walk *w, const struct gevent *x, u32 edges)
{
	const struct gevent *event = w->g->event;

	for (u32 r = x->readers; r; r = event[r].reader_next) {
		if ((edges & WALK_RFI || event[r].thread != x->thread ||
			    walk_waits(w->g, r, edges)) &&
			!gevent_is_mark(&event[r]))
			walk_visit(w, r);
	}
	if (edges & WALK_KERNEL_CO && !walk_is_kernel(x))
		;
	else if (x->flags & E_WRITE)
		walk_visit(w, x->co_next);
	else if ((edges & WALK_FR || (edges & WALK_KERNEL_FR && walk_is_kernel(x))) &&
		x->flags & E_READ && !gevent_is_mark(x))
		walk_visit(w, x->rf ? event[x->rf].co_next : w->g->place[x->loc].co_first);
	if (graph_has_time(w->g))
		walk_visit(w, graph_time_after(w->g, (u32)(x - event)));
	if (x->type != LABEL_ARRIVE)
		return;
	for (u32 r = w->g->place[x->loc].reads; r; r = event[r].loc_prev) {
		if (event[r].type == LABEL_LEAVE && event[r].round == x->round)
			walk_visit(w, r);
	}
}

/* From all pieces of an access; links between its pieces are no edges. */
static __attribute__((noinline, unused)) void walk_pieces(
	struct acyclic_walk *w, u32 e, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	u32 first = graph_first(w->g, e), last = graph_last(w->g, e),
	    end = w->g->event[last].po_next;
	u32 was[2 * PIECES_MAX];
	bool back = first == w->goal && w->g->mark[e] == w->g->epoch;

	w->found |= back;
	for (u32 i = first, k = 0; i != end; i = w->g->event[i].po_next) {
		was[k++] = w->g->mark[i];
		w->g->mark[i] = w->g->epoch;
	}
	if (back)
		return;
	po(w, last);
	for (u32 i = first; i != end; i = w->g->event[i].po_next)
		walk_communication(w, &w->g->event[i], edges);
	for (u32 i = first, k = 0; i != end && first == w->goal; i = w->g->event[i].po_next)
		w->g->mark[i] = was[k++];
}

static inline __attribute__((always_inline)) void walk_on(
	struct acyclic_walk *w, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	u32 e = w->g->todo[--w->n];

	if (unlikely(w->g->event[e].flags & E_PIECE)) {
		walk_pieces(w, e, edges, po);
		return;
	}
	po(w, e);
	walk_communication(w, &w->g->event[e], edges);
}

static inline struct acyclic_walk walk_begin(struct graph *g, u32 from)
{
	from = graph_first(g, from);
	visit_begin(g);
	g->todo[0] = (u16)from;
	return (struct acyclic_walk){.g = g, .goal = from, .n = 1};
}

/* po(w, e): visits the events that must stay after e in its thread. */
static inline __attribute__((always_inline)) bool walk_returns(
	struct graph *g, u32 from, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	struct acyclic_walk w = walk_begin(g, from);

	while (w.n && !w.found)
		walk_on(&w, edges, po);
	return w.found;
}

/* No cycle through the new event e, nor, unless r is 0, through r, whose source has changed. */
static inline __attribute__((always_inline)) bool walk_acyclic(
	struct graph *g, u32 e, u32 r, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	return !walk_returns(g, e, edges, po) && !(r && walk_returns(g, r, edges, po));
}

/* Does the walk along po(w, e) alone lead from a to b? */
static inline __attribute__((always_inline)) bool walk_keeps(
	struct graph *g, u32 a, u32 b, void (*po)(struct acyclic_walk *w, u32 e))
{
	struct acyclic_walk w = walk_begin(g, a);

	while (w.n && g->mark[b] != g->epoch)
		po(&w, g->todo[--w.n]);
	return g->mark[b] == g->epoch;
}

/* The events directly after e: g->todo[0..n). Returns n. */
static inline __attribute__((always_inline)) u32 walk_from(
	struct graph *g, u32 e, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	struct acyclic_walk w = walk_begin(g, e);

	walk_on(&w, edges, po);
	return w.n;
}

/* Mark all events that the walk reaches; returns the epoch. */
static inline __attribute__((always_inline)) u32 walk_all(
	struct graph *g, u32 from, u32 edges, void (*po)(struct acyclic_walk *w, u32 e))
{
	struct acyclic_walk w = walk_begin(g, from);

	while (w.n)
		walk_on(&w, edges, po);
	return g->epoch;
}

#endif
