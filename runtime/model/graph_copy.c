/* SPDX-License-Identifier: ISC */
/* graph_copy.c - copies of a graph: packed, and restored from untrusted memory. */
#include "model/graph.h"

struct saved {
	u32 n, nthreads, nplaces, nsc, nmarks;
};

static size_t saved_size(u32 n, u32 nthreads, u32 nplaces, size_t clocks)
{
	return (sizeof(struct saved) + (n + 1) * (sizeof(struct gevent) + clocks * sizeof(u16)) +
		       nthreads * sizeof(struct gthread) + nplaces * sizeof(struct gplace) + 63) &
	       ~(size_t)63;
}

size_t graph_size(const struct graph *g)
{
	return saved_size(g->n, g->nthreads, g->nplaces, (size_t)g->lanes * g->nclocks);
}

bool graph_restorable(const struct graph *g, const void *from, size_t size)
{
	const struct saved *s = from;

	return size >= sizeof *s && s->n < GRAPH_EVENTS && s->nthreads <= GRAPH_THREADS &&
	       s->nplaces <= PLACES_MAX &&
	       saved_size(s->n, s->nthreads, s->nplaces, (size_t)g->lanes * g->nclocks) <= size;
}

/* Copy the parts of g to or from packed memory. */
static void copy_parts(const struct graph *g, u8 *packed, bool save)
{
	struct {
		void *p;
		size_t n;
	} part[] = {
		{g->event, (g->n + 1) * sizeof(struct gevent)},
		{g->clocks, (g->n + 1) * (size_t)g->lanes * g->nclocks * sizeof(u16)},
		{g->thread, g->nthreads * sizeof(struct gthread)},
		{g->place, g->nplaces * sizeof(struct gplace)},
	};

	for (u32 i = 0; i < array_size(part); i++) {
		if (save)
			__builtin_memcpy(packed, part[i].p, part[i].n);
		else
			__builtin_memcpy(part[i].p, packed, part[i].n);
		packed += part[i].n;
	}
}

void graph_save(const struct graph *g, void *to)
{
	struct saved *s = to;

	*s = (struct saved){g->n, g->nthreads, g->nplaces, g->nsc, g->nmarks};
	copy_parts(g, (u8 *)(s + 1), true);
}

void graph_restore(struct graph *g, const void *from)
{
	const struct saved *s = from;

	for (u32 i = s->nthreads; i < g->nthreads; i++)
		g->thread[i] = (struct gthread){.n = 0};
	g->n = s->n;
	g->nthreads = s->nthreads;
	g->nplaces = s->nplaces;
	g->nsc = s->nsc;
	g->nmarks = s->nmarks;
	g->known = 0;
	copy_parts(g, (u8 *)(s + 1), false);
}
