/* SPDX-License-Identifier: ISC */
/* fine_graph.c - see fine_graph.h. */
#include "failure/fine_graph.h"
#include "machine/execution/clock.h"
#include "machine/core.h"
#include "process/bytes.h"
#include "process/pages.h"

#define RESTARTS 1000

static struct {
	bool kept;
	enum leaf how;
	u32 t, nthreads;
	u64 executions, blocked; /* before it */
	struct gevent *event;	 /* [GRAPH_EVENTS + 1], as in the graph */
	u16 *added;		 /* [GRAPH_EVENTS + 1]: its number now; 0: not yet */
	u16 first[GRAPH_THREADS];
	u16 next[GRAPH_THREADS]; /* of each thread; 0: none */
} F;

bool fine_graph_kept(void)
{
	return F.kept;
}

void fine_graph_keep(const struct trust *x, enum leaf how, u32 t)
{
	const struct graph *g = &x->graph;

	F.kept = M.options->jobs <= 1 && !x->clock && !g->mixed;
	if (!F.kept)
		return;
	if (!F.event) {
		F.event = pages_need((GRAPH_EVENTS + 1) * sizeof *F.event);
		F.added = pages_need((GRAPH_EVENTS + 1) * sizeof *F.added);
	}
	F.how = how;
	F.t = t;
	F.nthreads = g->nthreads;
	F.executions = M.status->executions;
	F.blocked = M.status->blocked;
	bytes_copy(F.event, g->event, (g->n + 1) * sizeof *F.event);
	for (u32 i = 0; i < g->nthreads; i++)
		F.first[i] = g->thread[i].first;
}

/* --- building --------------------------------------------------------------------------------- */

/* Event e, or the first one after it that is one of the fine graph. */
static u32 fine_event(const struct trust *x, u32 e)
{
	while (e && (F.event[e].flags & E_WAIT || x->places->place[F.event[e].loc].span ||
			    (F.event[e].flags & E_EXCL && F.event[e].flags & E_WRITE)))
		e = F.event[e].po_next;
	return e;
}

static void begin_graph(const struct trust *x)
{
	bytes_fill(F.added, 0, (GRAPH_EVENTS + 1) * sizeof *F.added);
	for (u32 t = 0; t < F.nthreads; t++)
		F.next[t] = (u16)fine_event(x, F.first[t]);
}

static bool is_plain(const struct label *l)
{
	return l->type == LABEL_PLAIN_READ || l->type == LABEL_PLAIN_WRITE;
}

/* The choice of event e; false: its source is not there yet. */
static bool choice_of(u32 e, u32 *choice)
{
	const struct gevent *ev = &F.event[e];
	u32 w = ev->flags & E_READ ? ev->rf : ev->flags & E_WRITE ? ev->co_prev : 0;

	*choice = ev->type == LABEL_CHOOSE ? (u32)ev->value : 0;
	while (w && !F.added[w] && !(ev->flags & E_READ))
		w = F.event[w].co_prev;
	if (w && !F.added[w])
		return false;
	if (w)
		*choice = F.added[w];
	return true;
}

static bool add_fine_event(struct trust *x, u32 t)
{
	u32 e = F.next[t], first = x->graph.n + 1, choice;
	const struct gevent *ev = &F.event[e];
	bool rare = ev->flags & E_RARE || ev->type == LABEL_TIME;

	if (!choice_of(e, &choice) || !trust_add(x, t, choice, rare))
		return false;
	F.added[e] = (u16)first;
	if (ev->flags & E_READ && ev->flags & E_EXCL && ev->po_next)
		F.added[ev->po_next] = (u16)(first + 1);
	F.next[t] = (u16)fine_event(x, ev->po_next);
	return true;
}

/* A plain access that was part of a region. */
static bool add_region_access(struct trust *x, u32 t, const struct label *l)
{
	u32 loc = l->loc;

	return trust_add(x, t, loc < x->graph.nplaces ? x->graph.place[loc].co_last : 0, false);
}

/* Thread t takes a step. False: it is not enabled now. */
static bool add_fine_step(struct trust *x, u32 t)
{
	const struct gevent *e = &F.event[F.next[t]];
	const struct label *l;

	if (!graph_is_alive(&x->graph, t))
		return false;
	l = trust_next(x, t);
	if (!l)
		return false;
	if (F.next[t] && l->type == e->type && l->loc == e->loc)
		return add_fine_event(x, t);
	return is_plain(l) && (F.next[t] || F.how != LEAF_FAIL || t == F.t) &&
		add_region_access(x, t, l);
}

/* Is event e an error? Then *goes_on: after its report. */
static bool is_wrong(struct trust *x, u32 t, bool *goes_on)
{
	enum leaf how;
	u32 e = x->graph.thread[t].last, other;

	if (!(x->graph.event[e].flags & (E_READ | E_WRITE)))
		return false;
	other = trust_fault(x, e, &how);
	if (other)
		*goes_on = x->program->leaf(x->program, &x->graph, how, t, other);
	return other;
}

static bool has_graph_room(const struct trust *x)
{
	return x->graph.n + GRAPH_THREADS < GRAPH_EVENTS;
}

/* Add all events. True: the failure has been reported. */
static bool build(struct trust *x, bool *goes_on)
{
	bool more = true;

	while (more) {
		more = false;
		for (u32 t = 0; t < F.nthreads; t++)
			while (has_graph_room(x) && add_fine_step(x, t)) {
				more = true;
				if (is_wrong(x, t, goes_on))
					return true;
			}
		if (x->answer != ANSWER_LABEL)
			return false;
	}
	return false;
}

static bool has_all(void)
{
	for (u32 t = 0; t < F.nthreads; t++)
		if (F.next[t])
			return false;
	return true;
}

/* The end: does it fail as before? */
static bool fails_as_before(struct trust *x)
{
	const struct label *l = F.how == LEAF_FAIL ? trust_next(x, F.t) : NULL;

	if (!has_all() || F.how == LEAF_RACE || F.how == LEAF_HEAP ||
		(F.how == LEAF_FAIL && (!l || l->type != LABEL_FAIL)))
		return true;
	return x->program->leaf(x->program, &x->graph, F.how, F.t, 0);
}

bool fine_graph_report(struct trust *x, void (*again)(struct trust *x))
{
	bool goes_on = true;

	F.kept = false;
	for (u32 i = 0; i < RESTARTS && !clock_is_up; i++) {
		again(x);
		M.status->executions = F.executions;
		M.status->blocked = F.blocked;
		begin_graph(x);
		if (!build(x, &goes_on) && x->answer == ANSWER_LABEL)
			goes_on = fails_as_before(x);
		x->reported = !goes_on;
		if (x->answer != ANSWER_RESTART)
			return goes_on && x->answer == ANSWER_LABEL;
	}
	return true;
}
