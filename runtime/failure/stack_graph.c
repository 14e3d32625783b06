/* SPDX-License-Identifier: ISC */
/* stack_graph.c - see stack_graph.h. */
#include "failure/stack_graph.h"
#include "machine/core.h"

#include <stdio.h>

static bool slot_has_ended(const struct trust *x, u32 slot)
{
	const struct gthread *t = &x->graph.thread[slot];
	const struct label *l = &x->cache.node[t->node].label;

	return graph_has_thread(&x->graph, slot) && t->last &&
	       (t->ended || (l->type == LABEL_END && !(l->flags & LABEL_EXIT)));
}

/* The slot of the ended thread whose stack the event accesses without happening before that end; 0:
 * none. */
static u32 outlived(const struct trust *x, u32 e)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u32 owner;

	if (!(ev->flags & (E_READ | E_WRITE)) || ev->flags & (E_WAIT | E_SYNC | E_HEAP))
		return 0;
	owner = g->places->place[ev->loc].stack;
	if (owner <= 1 || owner - 1 == ev->thread || !slot_has_ended(x, owner - 1))
		return 0;
	return clock_has(g, graph_cause(g, g->thread[owner - 1].last), e) ? 0 : owner - 1;
}

/* The return of the function that had the variable at loc, unless the thread has reused that part
 * of its stack for shared variables; 0: none. *first: the first return since the thread itself
 * accessed the variable. */
static u32 frame_end(const struct graph *g, u32 thread, u32 loc, u32 *first)
{
	const struct place *p = &g->places->place[loc];
	u64 stack = fiber_low(thread);
	u32 of_stack = place_find(g->places, stack, 0), end = 0, e;
	bool used = false;

	*first = 0;

	for (e = of_stack ? g->thread[thread].last : 0; e; e = g->event[e].po_prev) {
		const struct gevent *ev = &g->event[e];

		if (ev->loc == loc && ev->flags & (E_READ | E_WRITE))
			break;
		if (ev->loc != of_stack || !place_frame_has(ev->value, p->addr - stack))
			continue;
		used |= !(ev->value & 1);
		end = used ? end : e;
		if (ev->value & 1)
			*first = e;
	}
	return end;
}

/*
 * The return of the function whose variable the event accesses without happening before it; 0:
 * none.
 */
static u32 outlived_frame(const struct trust *x, u32 e, u32 *first)
{
	const struct graph *g = &x->graph;
	const struct gevent *ev = &g->event[e];
	u32 owner, end;

	if (!(ev->flags & (E_READ | E_WRITE)) || ev->flags & (E_WAIT | E_SYNC | E_HEAP))
		return 0;
	owner = g->places->place[ev->loc].stack;
	if (!owner-- || owner == ev->thread || !graph_has_thread(g, owner))
		return 0;
	end = frame_end(g, owner, ev->loc, first);
	return end && !clock_has(g, graph_cause(g, end), e) ? end : 0;
}

bool stack_fails_graph(const struct trust *x, struct finding *f, struct stack_use *use)
{
	const struct graph *g = &x->graph;
	u32 owner, end, first;
	bool after;

	if (likely(!g->places->stacks) || !(M.options->detect & DETECT_STACK))
		return false;
	for (u32 e = 1; e <= g->n; e++) {
		end = outlived_frame(x, e, &first);
		owner = end ? 0 : outlived(x, e);
		if (!owner && !end)
			continue;
		*use = (struct stack_use){.access = e, .frame = end ? first : 0, .owner = owner};
		*f = (struct finding){.kind = FINDING_STACK, .thread = g->event[e].thread};
		after = clock_has(g, graph_hb(g, e), end ? first : g->thread[owner].last);
		snprintf(f->message, sizeof f->message, "use of the stack of a %s that %s %s",
			end ? "function" : "thread", after ? "has" : "may have",
			end ? "returned" : "exited");
		return true;
	}
	return false;
}
