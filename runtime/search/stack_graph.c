/* SPDX-License-Identifier: ISC */
/* stack_graph.c - see stack_graph.h. */
#include "search/stack_graph.h"
#include "machine/core.h"

#include <stdio.h>

static bool has_ended(const struct trust *x, u32 slot)
{
	const struct gthread *t = &x->graph.thread[slot];
	const struct label *l = &x->cache.node[t->node].label;

	return graph_has_thread(&x->graph, slot) && t->last &&
	       (t->ended || (l->type == LABEL_END && !(l->flags & LABEL_EXIT)));
}

/* The slot of the thread that has ended and on whose stack the event was, though not before that
 * end; 0: none. */
static u32 outlived(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u32 owner;

	if (!(ev->flags & (E_READ | E_WRITE)) || ev->flags & (E_WAIT | E_SYNC | E_HEAP))
		return 0;
	owner = g->places->place[ev->loc].stack;
	if (!owner || owner == ev->thread || !has_ended(x, owner))
		return 0;
	return clock_has(g, graph_hb(g, g->thread[owner].last), e) ? 0 : owner;
}

bool stack_fails_graph(const struct trust *x, struct finding *f, u32 *access)
{
	const struct graph *g = &x->graph;
	u32 owner = 0, e = 0;

	if (likely(!g->places->stacks) || !(M.options->detect & DETECT_STACK))
		return false;
	while (!owner && e < g->n)
		owner = outlived(x, ++e);
	if (!owner)
		return false;
	*access = e;
	*f = (struct finding){.kind = FINDING_STACK, .thread = g->event[e].thread};
	snprintf(f->message, sizeof f->message,
		clock_has(g, graph_hb(g, e), g->thread[owner].last)
			? "use of the stack of a thread that has exited"
			: "use of the stack of a thread that may have exited");
	return true;
}
