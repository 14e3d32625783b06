/* SPDX-License-Identifier: ISC */
/* holes_leaf.c - graphs that cannot be extended: executions, and cases that cannot be judged. See
 * holes.h. */
#include "holes/holes.h"

static bool is_newest(const struct hgraph *g, const struct hevent *r)
{
	return (r->rf ? g->event[r->rf].at : 0) == holes_writes(g, r->loc);
}

/* Does the thread wait, and can the location that it has read never change again? */
static bool holes_waits_for_ever(struct holes *h, u32 t)
{
	const struct hgraph *g = h->g;
	const struct hthread *th = &g->thread[t];
	const struct label *l = holes_label(h, t);
	u64 left = l && l->type == LABEL_SPIN ? l->value : 0;

	if (th->upto && g->event[th->upto].stays)
		return is_newest(g, &g->event[th->upto]);
	if (!l || l->type == LABEL_BLOCK || l->type == LABEL_FAIL)
		return false;
	for (u32 e = th->first, reads = 0, pass = 0; pass < 2 && left; pass++, e = th->first) {
		u32 seen = 0;

		for (; e; e = g->event[e].next) {
			if (!holes_is_read(&g->event[e]))
				continue;
			if (pass && reads - seen++ <= left && !is_newest(g, &g->event[e]) &&
				!place_is_tally(h->x->places, g->event[e].loc))
				return false;
			reads += !pass;
		}
	}
	return true;
}

static bool is_stuck(struct holes *h)
{
	for (u32 t = 0; t < h->g->nthreads; t++)
		if (h->g->thread[t].exists && !h->g->thread[t].ended && !holes_waits_for_ever(h, t))
			return false;
	return true;
}

/* Can a replay file have it? Reads that come before their source are no halves of RMWs. */
static bool is_recordable(const struct graph *g)
{
	for (u32 e = 1; e <= g->n; e++)
		if (holes_source(g, e) != g->event[e].rf && g->event[e].flags & E_EXCL)
			return false;
	return true;
}

/* Is some block freed before or while it is used, or used before it is allocated? The order that
 * early reads imply is not included, so this may be a false alarm. */
static bool is_heap_unsure(const struct trust *x)
{
	const struct graph *g = &x->graph;
	enum leaf how;

	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *ev = &g->event[e];
		u32 block = label_block(trust_label(x, e)), first;

		first = block && block < g->nplaces ? g->place[block].co_first : 0;
		if (ev->flags & E_HEAP && ev->flags & E_WRITE
				? !ev->value && trust_fault(x, e, &how)
			: first ? !clock_has(g, graph_cause(g, e), first)
				: false)
			return true;
	}
	return false;
}

/* Does a CAS fail with a value with which it succeeds? */
static bool is_none(const struct holes *h)
{
	for (u32 e = 1; e <= h->g->n; e++)
		if (holes_fails_for_now(h, &h->g->event[e]))
			return true;
	return false;
}

/* Has po | rf a cycle? All events that threads have been followed to. */
static bool has_buffering(const struct hgraph *g)
{
	bool passed[HOLES_EVENTS + 1], moved = true, left = true;
	u16 at[GRAPH_THREADS];

	__builtin_memset(passed, 0, g->n + 1);
	passed[0] = true;
	for (u32 t = 0; t < g->nthreads; t++)
		at[t] = g->thread[t].first;
	while (moved) {
		moved = left = false;
		for (u32 t = 0; t < g->nthreads; t++) {
			for (; at[t] && passed[g->event[at[t]].rf]; at[t] = g->event[at[t]].next)
				moved = passed[at[t]] = true;
			left |= at[t] != 0;
		}
	}
	return left;
}

bool holes_visit_leaf(struct holes *h, const struct hnext *n)
{
	struct trust *x = h->x;
	bool buffers = has_buffering(h->g);

	if ((!buffers && !h->all) || is_none(h) ||
		(!n->blocked && !n->fails && !holes_completes(h)))
		return true;
	buffers = holes_leaf(h);
	if (!buffers && !h->all) /* behind an event that is not reached */
		return true;
	h->heap |= x->heap && is_heap_unsure(x);
	if (n->fails) {
		u32 node = x->graph.thread[n->failing].node;

		h->failing++;
		if (!is_recordable(&x->graph))
			h->limit = "a failure on a cycle of read-modify-writes only";
		if (h->limit)
			return false;
		if (!(x->cache.node[node].label.flags & LABEL_REPORTED) &&
			!x->program->leaf(x->program, &x->graph, LEAF_FAIL, n->failing, 0))
			return false;
		return x->answer == ANSWER_LABEL &&
		       x->program->leaf(x->program, &x->graph, LEAF_BLOCKED, 0, 0);
	}
	if (n->blocked) {
		h->blocked++;
		h->stuck += buffers && is_stuck(h);
		return true;
	}
	h->complete++;
	return x->program->leaf(x->program, &x->graph, LEAF_COMPLETE, 0, 0) &&
	       x->answer == ANSWER_LABEL;
}
