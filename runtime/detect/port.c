/* SPDX-License-Identifier: ISC */
/* port.c - see port.h. */
#include "detect/port.h"

bool port_includes(enum model to, enum model from)
{
	switch (from) {
	case MODEL_SC: return true;
	case MODEL_TSO: return to != MODEL_SC;
	case MODEL_PSO: return to == MODEL_PSO || to == MODEL_RC11;
	default: return to == from;
	}
}

/* Does an event with this clock before it know w, or a write that is later in co? */
static bool knows(const struct graph *g, const u16 *clock, u32 loc, u32 w)
{
	for (; w; w = g->event[w].co_next)
		if (graph_known(g, clock, loc, w))
			return true;
	return false;
}

/* No access is older in co than what comes before it in po and rf. */
static bool is_coherent(const struct graph *g)
{
	for (u32 i = 1; i <= g->n; i++) {
		const struct gevent *e = &g->event[i];
		u32 next = e->co_next;

		if (!(e->flags & (E_READ | E_WRITE)) || e->flags & E_WAIT)
			continue;
		if (e->flags & E_READ)
			next = e->rf ? g->event[e->rf].co_next : g->place[e->loc].co_first;
		if (knows(g, graph_cause(g, e->po_prev), e->loc, next))
			return false;
	}
	return true;
}

bool port_allows(const struct graph *g, enum model from, void *memory, struct plan *p)
{
	if (from == g->model)
		return true;
	return from == MODEL_RA ? is_coherent(g) : linear_plan(g, from, 0, memory, p, NULL);
}

bool port_races(const struct graph *g, u32 thread, u32 other)
{
	u32 last = g->thread[thread].last;
	const struct gevent *e = &g->event[last];
	bool plain = e->flags & E_PLAIN || (e->flags & E_READ && g->event[e->rf].flags & E_PLAIN);

	/* What is read plainly orders nothing. */
	return !clock_has(g, graph_cause(g, plain ? e->po_prev : last), other);
}
