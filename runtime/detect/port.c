/* SPDX-License-Identifier: ISC */
/* port.c - see port.h. */
#include "detect/port.h"

bool port_includes(enum model_id to, enum model_id from)
{
	return to == from || model_of(to)->includes >> from & 1;
}

bool port_allows(const struct graph *g, enum model_id from, void *memory, struct plan *p)
{
	const struct model *m = model_of(from);

	if (m == g->model)
		return true;
	return m->allows ? m->allows(g) : linearize_plan(g, from, 0, memory, p, NULL);
}

bool port_races(const struct graph *g, u32 thread, u32 other)
{
	u32 last = g->thread[thread].last;
	const struct gevent *e = &g->event[last];
	bool plain = e->flags & E_PLAIN || (e->flags & E_READ && g->event[e->rf].flags & E_PLAIN);

	/* A plain read orders nothing. */
	return !clock_has(g, graph_cause(g, plain ? e->po_prev : last), other);
}
