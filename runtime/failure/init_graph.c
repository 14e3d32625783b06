/* SPDX-License-Identifier: ISC */
/* init_graph.c - see init_graph.h. */
#include "failure/init_graph.h"
#include "model/pieces.h"
#include "object/object.h"
#include "process/pages.h"

static struct {
	bool found[PLACES_MAX];
	u32 loc; /* of the last object found */
	void *saved;
	size_t size;
	bool rf;
} I;

void init_graph_begin(void)
{
	__builtin_memset(I.found, 0, sizeof I.found);
}

void init_graph_restore(struct trust *x)
{
	graph_restore(&x->graph, I.saved);
	x->rf = I.rf;
	x->halves = true;
	if (x->answer != ANSWER_LABEL) /* the search begins anew */
		I.found[I.loc] = false;
}

static void save_graph(struct trust *x)
{
	if (I.size < graph_size(&x->graph)) {
		I.size = 2 * graph_size(&x->graph);
		I.saved = pages_need(I.size);
	}
	graph_save(&x->graph, I.saved);
	I.rf = x->rf;
	x->rf = false;
}

/* The causes of both events. */
static void join_causes(const struct graph *g, u16 *clock, u32 e)
{
	const u16 *other = graph_cause(g, e);

	for (u32 i = 0; e && i < g->lanes; i++)
		clock[i] = clock[i] > other[i] ? clock[i] : other[i];
}

/* A wait of thread t at the object, a semaphore, that is not ordered before `init' and may have
 * begun first: the event before it. 0: none. */
static u32 before_wait(const struct trust *x, u32 init, u32 t)
{
	const struct graph *g = &x->graph;
	u32 loc = g->event[init].loc, e = g->thread[t].last;
	const struct label *l = &x->cache.node[g->thread[t].node].label;

	while (e && clock_has(g, graph_cause(g, e), init)) {
		l = trust_label(x, e);
		e = g->event[e].po_prev;
	}
	if (!e || l->type != LABEL_SYNC || !object_op_has(l->op, OP_WAITS) || l->loc != loc)
		return 0;
	return object_step(l->op, 0, t, g->event[init].value).ready ? 0 : e;
}

/* An arrival of thread t at the barrier, of a round that is not known to be complete then. */
static u32 incomplete_arrival(const struct trust *x, u32 init, u32 t)
{
	const struct graph *g = &x->graph;
	u32 e = g->place[g->event[init].loc].reads, arrived = 0;

	while (e && (g->event[e].thread != t || g->event[e].type != LABEL_ARRIVE ||
			    clock_has(g, graph_cause(g, e), init)))
		e = g->event[e].loc_prev;
	for (u32 i = e ? g->place[g->event[init].loc].reads : 0; i; i = g->event[i].loc_prev)
		arrived += g->event[i].type == LABEL_ARRIVE &&
			   g->event[i].round == g->event[e].round &&
			   trust_label(x, i)->expected == trust_label(x, e)->expected &&
			   (clock_has(g, graph_cause(g, e), i) ||
				   clock_has(g, graph_cause(g, g->event[init].po_prev), i));
	return e && arrived < trust_label(x, e)->value ? e : 0;
}

/* `init', the reading half, as the last event, when thread t has come to e and waits. */
static bool build_use(struct trust *x, u32 init, u32 e)
{
	struct graph *g = &x->graph;
	u32 t = g->event[init].thread, loc = g->event[init].loc;
	u16 clock[GRAPH_THREADS] __attribute__((aligned(16))) = {0};
	const struct label *l;

	join_causes(g, clock, g->event[init].po_prev);
	join_causes(g, clock, g->event[init].rf);
	join_causes(g, clock, e);
	save_graph(x);
	graph_keep(g, 1, clock);
	if (trust_add(x, t, g->place[loc].co_last, true)) {
		l = trust_next(x, t);
		if (l && l->type == LABEL_FAIL)
			return true;
	}
	init_graph_restore(x);
	return false;
}

/* The event after which thread t waits; 0: it does not. */
static u32 waits_behind(const struct trust *x, u32 init, u32 t)
{
	u32 e = before_wait(x, init, t);

	return e ? e : incomplete_arrival(x, init, t);
}

static bool is_used(struct trust *x, u32 init)
{
	const struct graph *g = &x->graph;
	u32 owner = g->event[init].thread, e;

	for (u32 t = 0; t < g->nthreads; t++) {
		if (t == owner || !graph_has_thread(g, t))
			continue;
		e = waits_behind(x, init, t);
		if (e && build_use(x, init, e))
			return true;
	}
	return false;
}

bool init_graph_fails(struct trust *x, u32 *t)
{
	const struct graph *g = &x->graph;

	for (u32 loc = x->inits ? 1 : g->nplaces; loc < g->nplaces; loc++) {
		if (g->places->place[loc].size || I.found[loc])
			continue;
		for (u32 w = g->place[loc].co_first; w; w = g->event[w].co_next) {
			if (!object_op_has(trust_label(x, w)->op, OP_INIT) ||
				!(g->event[w].flags & E_SYNC))
				continue;
			*t = g->event[w].thread;
			I.loc = loc;
			I.found[loc] = is_used(x, graph_read_of(g, w));
			if (I.found[loc])
				return true;
		}
	}
	return false;
}
