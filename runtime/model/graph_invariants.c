/* SPDX-License-Identifier: ISC */
/*
 * graph_invariants.c - what is always so of a graph between two steps of an exploration (make TINY=1).
 *
 * Everything here is computed anew from as little as possible: threads, from their first events on; places,
 * from the flags of all events; clocks, from those of the events directly before.
 */
#include "model/graph.h"

static u32 members[GRAPH_EVENTS + 1]; /* by event: lists that it has been met in */

/* Events of threads: numbered from 1 on, in the order in which they came. */
static void check_po(const struct graph *g)
{
	u32 all = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		const struct gthread *th = &g->thread[t];
		u32 before = 0, n = 0;

		for (u32 e = th->first; e; e = g->event[e].po_next) {
			const struct gevent *x = &g->event[e];

			BUG_ON(e > g->n || e <= before || x->thread != t);
			BUG_ON(x->index != ++n || x->po_prev != before);
			before = e;
		}
		BUG_ON(th->last != before || th->n != n);
		BUG_ON(th->ended != (before && g->event[before].type == LABEL_END));
		BUG_ON(th->create && (g->event[th->create].type != LABEL_CREATE ||
					     g->event[th->create].value != t));
		all += n;
	}
	BUG_ON(all != g->n || g->n >= GRAPH_EVENTS);
}

/* Each event in the list reads from, or starts after, joins, `source`. */
static void check_readers(const struct graph *g, u32 list, u32 source)
{
	for (u32 r = list; r; r = g->event[r].reader_next) {
		const struct gevent *x = &g->event[r];

		BUG_ON(r > g->n || members[r]++ || x->rf != source);
		BUG_ON(source && x->flags & E_READ && g->event[source].loc != x->loc);
	}
}

static void check_rf(const struct graph *g)
{
	__builtin_memset(members, 0, (g->n + 1) * sizeof *members);
	for (u32 loc = 0; loc < g->nplaces; loc++)
		check_readers(g, g->place[loc].init_readers, 0);
	for (u32 e = 1; e <= g->n; e++)
		check_readers(g, g->event[e].readers, e);
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];

		BUG_ON(members[e] != (x->flags & E_READ || x->rf ? 1 : 0));
		if (!(x->flags & E_READ))
			continue;
		BUG_ON(x->rf && !(g->event[x->rf].flags & E_WRITE));
		BUG_ON(x->value != graph_write_value(g, x->rf, x->loc));
	}
}

/* All writes of a place, each once, own ones in program order, an RMW's directly behind what it read. */
static void check_co(const struct graph *g)
{
	__builtin_memset(members, 0, (g->n + 1) * sizeof *members);
	for (u32 loc = 0; loc < g->nplaces; loc++) {
		u16 index[GRAPH_THREADS] = {0};
		u32 before = 0;

		for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next) {
			const struct gevent *x = &g->event[w];

			BUG_ON(w > g->n || members[w]++ || x->loc != loc || !(x->flags & E_WRITE));
			BUG_ON(x->co_prev != before || x->index <= index[x->thread]);
			BUG_ON(x->flags & E_EXCL && g->event[x->po_prev].rf != before);
			index[x->thread] = x->index;
			before = w;
		}
		BUG_ON(g->place[loc].co_last != before);
	}
	for (u32 e = 1; e <= g->n; e++)
		BUG_ON(members[e] != (g->event[e].flags & E_WRITE ? 1 : 0));
}

static void check_lists(const struct graph *g)
{
	u32 nsc = 0, nweak = 0, nmarks = 0, listed = 0;

	for (u32 loc = 0; loc < g->nplaces; loc++) {
		u32 last = g->n + 1, plain = 0;

		for (u32 e = g->place[loc].reads; e; e = g->event[e].loc_prev) {
			BUG_ON(e >= last || g->event[e].loc != loc);
			last = e;
			listed++;
		}
		for (u32 e = 1; e <= g->n; e++)
			plain += g->event[e].loc == loc && g->event[e].flags & E_PLAIN;
		BUG_ON(plain != g->place[loc].nplain);
	}
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];
		bool weak = x->flags & (E_READ | E_WRITE | E_FENCE) && !(x->flags & (E_SC | E_PLAIN)) &&
			    (!(x->flags & E_SYNC) || (x->flags & E_READ && !(x->flags & E_EXCL)));

		BUG_ON(x->loc >= g->nplaces);
		listed -= x->flags & E_READ || x->type == LABEL_ARRIVE || x->type == LABEL_LEAVE;
		nmarks += gevent_is_mark(x);
		nsc += !!(x->flags & E_SC);
		nweak += weak;
	}
	BUG_ON(listed || nmarks != g->nmarks);
	BUG_ON(g->model == MODEL_RC11 && (nsc != g->nsc || nweak != g->nweak));
}

/* Clocks are the closure of what is directly before: each is what graph_clocks() makes of those. */
static void check_clocks(struct graph *g)
{
	u16 was[CLOCKS * GRAPH_THREADS];
	size_t size = g->lanes * g->nclocks * sizeof(u16);

	for (u32 e = 1; e <= g->n; e++) {
		__builtin_memcpy(was, graph_clock(g, e, 0), size);
		graph_clocks(g, e);
		BUG_ON(__builtin_memcmp(was, graph_clock(g, e, 0), size));
	}
}

void graph_check(struct graph *g)
{
	check_po(g);
	check_rf(g);
	check_co(g);
	check_lists(g);
	check_clocks(g);
}

void graph_check_copy(struct graph *g, void *memory)
{
	size_t size = graph_size(g);
	u8 *one = memory, *two = one + size;

	__builtin_memset(one, 0, 2 * size);
	graph_save(g, one);
	__builtin_memset(g->event, 0x5a, (g->n + 1) * sizeof *g->event);
	__builtin_memset(g->clocks, 0x5a, (g->n + 1) * (size_t)g->lanes * g->nclocks * sizeof(u16));
	__builtin_memset(g->thread, 0x5a, g->nthreads * sizeof *g->thread);
	__builtin_memset(g->place, 0x5a, g->nplaces * sizeof *g->place);
	g->n = g->nplaces = g->nsc = g->nweak = g->nmarks = 0;
	graph_restore(g, one);
	graph_save(g, two);
	BUG_ON(graph_size(g) != size || __builtin_memcmp(one, two, size));
}
