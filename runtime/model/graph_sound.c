/* SPDX-License-Identifier: ISC */
/*
 * graph_sound.c - invariants of a graph between two steps of an exploration, required also of a
 * graph from a file (trust/image/frontier.c).
 *
 * Everything is recomputed from as little as possible: threads from their first events on, places
 * from the flags of all events, clocks from those of the direct predecessors. Numbers are checked
 * first, so that the other checks may follow them.
 */
#include "model/pieces.h"

static u32 members[GRAPH_EVENTS + 1]; /* by event: the lists that contain it */
static u16 plain[PLACES_MAX];	      /* by location: plain accesses */

/* If the condition fails, its text is returned. */
#define NEEDS(condition) \
	do { \
		if (unlikely(!(condition))) \
			return #condition; \
	} while (0)

/* --- numbers ---------------------------------------------------------------------------------- */

static const char *wrong_numbers(const struct graph *g)
{
	const struct gevent *begin = &g->event[0];
	u32 n = g->n;

	NEEDS(n < GRAPH_EVENTS && g->nplaces > 0 && g->nplaces <= PLACES_MAX);
	NEEDS(g->nthreads > 0 && g->nthreads <= g->lanes && g->lanes <= GRAPH_THREADS);
	NEEDS(!begin->flags && !begin->type && !begin->thread && !begin->index && !begin->loc);
	for (u32 t = 0; t < g->nthreads; t++) {
		const struct gthread *th = &g->thread[t];
		u8 ended;

		__builtin_memcpy(&ended, &th->ended, 1);
		NEEDS(th->first <= n && th->last <= n && th->create <= n && ended <= 1);
	}
	for (u32 loc = 0; loc < g->nplaces; loc++) {
		const struct gplace *p = &g->place[loc];

		NEEDS(p->co_first <= n && p->co_last <= n && p->reads <= n && p->init_readers <= n);
	}
	for (u32 e = 1; e <= n; e++) {
		const struct gevent *x = &g->event[e];

		NEEDS(x->thread < g->nthreads && x->loc < g->nplaces && x->index <= n);
		NEEDS(x->po_prev <= n && x->po_next <= n && x->rf <= n && x->readers <= n &&
			x->reader_next <= n);
		NEEDS(x->co_prev <= n && x->co_next <= n && x->loc_prev <= n);
	}
	return NULL;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* Numbered from 1 on, in the order in which they came. */
static const char *wrong_thread(const struct graph *g, u32 t)
{
	const struct gthread *th = &g->thread[t];
	u32 before = 0, n = 0;

	for (u32 e = th->first; e; e = g->event[e].po_next) {
		const struct gevent *x = &g->event[e];

		NEEDS(e > before && x->thread == t);
		NEEDS(x->index == ++n && x->po_prev == before);
		NEEDS(!before || g->event[before].type != LABEL_END);
		before = e;
	}
	NEEDS(th->last == before && th->n == n);
	NEEDS(th->ended == (before && g->event[before].type == LABEL_END));
	NEEDS(!th->create || (t && g->event[th->create].type == LABEL_CREATE &&
				     g->event[th->create].value == t));
	NEEDS(!n || !t || (th->create && g->event[th->first].type == LABEL_START &&
				  g->event[th->first].rf == th->create));
	return NULL;
}

static const char *wrong_po(const struct graph *g)
{
	u32 all = 0;

	for (u32 t = 0; t < g->nthreads; t++) {
		const char *wrong = wrong_thread(g, t);

		if (wrong)
			return wrong;
		all += g->thread[t].n;
	}
	NEEDS(all == g->n);
	return NULL;
}

/* --- rf --------------------------------------------------------------------------------------- */

/* Each event in the list reads from `source`, or starts after or joins it. */
static const char *wrong_readers(const struct graph *g, u32 list, u32 source, u32 loc)
{
	for (u32 r = list; r; r = g->event[r].reader_next) {
		const struct gevent *x = &g->event[r];

		NEEDS(!members[r]++ && x->rf == source);
		NEEDS(!(x->flags & E_READ) || x->loc == loc);
	}
	return NULL;
}

static const char *wrong_source(const struct graph *g, const struct gevent *x)
{
	const struct gevent *source = &g->event[x->rf];

	if (x->flags & E_READ) {
		NEEDS(!x->rf || source->flags & E_WRITE);
		NEEDS(x->value == graph_write_value(g, x->rf, x->loc));
	} else if (x->rf && x->type == LABEL_JOIN) {
		NEEDS(source->type == LABEL_END);
	} else if (x->rf) {
		NEEDS(x->type == LABEL_START && source->type == LABEL_CREATE);
	}
	return NULL;
}

static const char *wrong_rf(const struct graph *g)
{
	const char *wrong = NULL;

	__builtin_memset(members, 0, (g->n + 1) * sizeof *members);
	for (u32 loc = 0; loc < g->nplaces && !wrong; loc++)
		wrong = wrong_readers(g, g->place[loc].init_readers, 0, loc);
	for (u32 e = 1; e <= g->n && !wrong; e++)
		wrong = wrong_readers(g, g->event[e].readers, e, g->event[e].loc);
	for (u32 e = 1; e <= g->n && !wrong; e++) {
		const struct gevent *x = &g->event[e];

		NEEDS(members[e] == (x->flags & E_READ || x->rf ? 1 : 0));
		wrong = wrong_source(g, x);
	}
	return wrong;
}

/* --- co --------------------------------------------------------------------------------------- */

/* All writes of a place, each once, own ones in program order, an RMW's directly behind what it
 * read. */
static const char *wrong_writes(const struct graph *g, u32 loc)
{
	u16 index[GRAPH_THREADS] = {0};
	u32 before = 0;

	for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next) {
		const struct gevent *x = &g->event[w];

		NEEDS(!members[w]++ && x->loc == loc && x->flags & E_WRITE);
		NEEDS(x->co_prev == before && x->index > index[x->thread]);
		NEEDS(!(x->flags & E_EXCL) ||
			(x->po_prev && g->event[graph_read_of(g, w)].rf == before));
		index[x->thread] = x->index;
		before = w;
	}
	NEEDS(g->place[loc].co_last == before);
	return NULL;
}

/* The last event may be the write of an RMW whose source another RMW has taken: only revisits by it
 * count. */
static const char *wrong_co(const struct graph *g)
{
	const char *wrong = NULL;

	__builtin_memset(members, 0, (g->n + 1) * sizeof *members);
	for (u32 loc = 0; loc < g->nplaces && !wrong; loc++)
		wrong = wrong_writes(g, loc);
	for (u32 e = 1; e <= g->n && !wrong; e++) {
		const struct gevent *x = &g->event[e];
		bool blocked_read = graph_half_last(g, e) == g->n && x->flags & E_EXCL &&
				    !x->co_prev && !x->co_next;

		NEEDS(members[e] == (x->flags & E_WRITE ? 1 : 0) || (!members[e] && blocked_read));
	}
	return wrong;
}

/* --- lists and figures ------------------------------------------------------------------------ */

static bool is_listed(const struct gevent *x)
{
	return x->flags & E_READ || x->type == LABEL_ARRIVE || x->type == LABEL_LEAVE ||
	       x->type == LABEL_TIME;
}

static const char *wrong_lists(const struct graph *g)
{
	u32 listed = 0;

	for (u32 loc = 0; loc < g->nplaces; loc++) {
		u32 last = g->n + 1;

		for (u32 e = g->place[loc].reads; e; e = g->event[e].loc_prev) {
			NEEDS(e < last && g->event[e].loc == loc && is_listed(&g->event[e]));
			last = e;
			listed++;
		}
	}
	for (u32 e = 1; e <= g->n; e++)
		listed -= is_listed(&g->event[e]);
	NEEDS(!listed);
	return NULL;
}

/* Counts of plain events, marks, and of seq_cst events if the model needs them. */
static const char *wrong_figures(const struct graph *g)
{
	u32 nsc = 0, nmarks = 0;

	__builtin_memset(plain, 0, g->nplaces * sizeof *plain);
	for (u32 e = 1; e <= g->n; e++) {
		const struct gevent *x = &g->event[e];

		plain[x->loc] = (u16)(plain[x->loc] + !!(x->flags & E_PLAIN));
		nmarks += gevent_is_mark(x);
		nsc += !!(x->flags & E_SC);
	}
	for (u32 loc = 0; loc < g->nplaces; loc++)
		NEEDS(plain[loc] == g->place[loc].nplain);
	NEEDS(nmarks == g->nmarks);
	NEEDS(g->nsc == (g->model->has_sc_events ? nsc : 0));
	return NULL;
}

/* --- clocks ----------------------------------------------------------------------------------- */

/* Recompute the clocks of an event of LABEL_TIME, from its predecessor in each thread. */
static void time_clocks(struct graph *g, u32 e)
{
	u16 causes[GRAPH_THREADS], n = 0;
	u16 clock[GRAPH_THREADS];

	__builtin_memcpy(clock, graph_cause(g, e), g->lanes * sizeof *clock);
	for (u32 i = 1; i < e; i++) {
		const struct gevent *x = &g->event[i];

		if (x->thread != g->event[e].thread && x->index == clock[x->thread] &&
			n < GRAPH_THREADS)
			causes[n++] = (u16)i;
	}
	graph_clocks_after(g, e, causes, n);
}

/* Each clock is the result of graph_clocks() for the direct predecessors' clocks. No event is its
 * own cause: its clock would contain later events of its own thread. */
static const char *wrong_clocks(struct graph *g)
{
	u16 was[CLOCKS * GRAPH_THREADS];
	size_t size = g->lanes * g->nclocks * sizeof(u16);

	for (u32 i = 0; i < g->lanes * g->nclocks; i++)
		NEEDS(!graph_clock(g, 0, 0)[i]);
	for (u32 e = 1; e <= g->n; e++) {
		__builtin_memcpy(was, graph_clock(g, e, 0), size);
		if (g->event[e].type == LABEL_TIME)
			time_clocks(g, e);
		else
			graph_clocks(g, e);
		NEEDS(!__builtin_memcmp(was, graph_clock(g, e, 0), size));
		NEEDS(graph_cause(g, e)[g->event[e].thread] ==
			g->event[graph_half_last(g, e)].index);
	}
	return NULL;
}

const char *graph_wrong(struct graph *g)
{
	const char *wrong = wrong_numbers(g);

	if (!wrong)
		wrong = wrong_po(g);
	if (!wrong)
		wrong = wrong_rf(g);
	if (!wrong)
		wrong = wrong_co(g);
	if (!wrong)
		wrong = wrong_lists(g);
	if (!wrong)
		wrong = wrong_figures(g);
	return wrong ? wrong : wrong_clocks(g);
}
