/* SPDX-License-Identifier: ISC */
/*
 * enumerate.c - see enumerate.h.
 *
 * A run (run.h) lets every thread continue until it needs the value of a read whose source was not
 * chosen, or not executed. When no thread can continue, a source is chosen for one of the reads,
 * each in turn. Runs in which reads wait for each other in a cycle, or for a missing write, are
 * discarded. For the others all values are known; then all orders of the writes are tried.
 */
#include "enumerate.h"

#include "axioms.h"
#include "locks.h"
#include "run.h"

#include <string.h>

void (*enumerate_look)(const struct ax_graph *g, const bool consistent[GP_MODELS]);

static const struct gprogram *p;
static struct enumeration *result;
static unsigned long most, visits;

/* --- orders of the writes --------------------------------------------------------------------- */

#define ORDERS_MAX 5040

static struct ax_graph graph;
static struct {
	int n;
	uint8_t (*order)[CO_MAX];
} orders[GP_PLACES]; /* coherent ones; by rank */
static uint8_t storage[GP_PLACES][ORDERS_MAX][CO_MAX];
static int writes[GP_PLACES][CO_MAX], nwrites[GP_PLACES];

/* An RMW comes directly after what it reads. */
static bool may_follow(const struct ax_event *w, int previous)
{
	return !w->excl || graph.e[ax_read_of((int)(w - graph.e))].rf == previous;
}

static void permute(int place, uint64_t used, int n, int previous)
{
	if (n == nwrites[place]) {
		if (!ax_coherent(place))
			return;
		for (int i = 0; i < n; i++)
			storage[place][orders[place].n][i] = graph.e[writes[place][i]].at;
		orders[place].n++;
		return;
	}
	for (int i = 0; i < nwrites[place]; i++) {
		if (used & 1u << i || !may_follow(&graph.e[writes[place][i]], previous))
			continue;
		graph.e[writes[place][i]].at = (uint8_t)(n + 1);
		permute(place, used | 1u << i, n + 1, writes[place][i]);
	}
}

/* The events of the run, thread by thread, without those only the hardware has if not wanted. */
static void sort_events(const struct run *r)
{
	int to[EVENTS_MAX];

	graph.n = 0;
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < r->n; i++)
			if (r->e[i].thread == t) {
				to[i] = graph.n;
				graph.e[graph.n++] = r->e[i];
			}
	memset(nwrites, 0, sizeof nwrites);
	for (int i = 0; i < graph.n; i++) {
		struct ax_event *e = &graph.e[i];

		if (e->kind == EV_READ && e->rf >= 0)
			e->rf = (int8_t)to[e->rf];
		if (e->kind == EV_WRITE)
			writes[e->place][nwrites[e->place]++] = i;
	}
}

/* --- what an execution is --------------------------------------------------------------------- */

static const struct ax_event *last_write(int place)
{
	for (int i = 0; i < nwrites[place]; i++)
		if (graph.e[writes[place][i]].at == nwrites[place])
			return &graph.e[writes[place][i]];
	return NULL;
}

static void describe(const struct run *r, struct execution *x)
{
	execution_clear(x);
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++) {
			x->reg[gp_slot(t, i) - 1] = r->reg[t][i];
			x->rare[gp_slot(t, i) - 1] = r->rare[gp_slot(t, i)] == RARE + 1;
			if (p->op[t][i].kind == GP_CHOOSE &&
				r->source[gp_slot(t, i)][0] != UNCHOSEN)
				x->rf[gp_slot(t, i) - 1][0] = r->source[gp_slot(t, i)][0];
		}
	for (int i = 0; i < graph.n; i++) {
		const struct ax_event *e = &graph.e[i];
		uint8_t *rf = x->rf[e->slot - 1];

		if (e->kind == EV_READ)
			rf[e->piece ? e->piece - 1 : rf[0] != SLOT_NONE] =
				e->rf < 0 ? SLOT_INIT : graph.e[e->rf].slot;
		if (e->kind == EV_WRITE)
			x->co[e->place][e->at - 1] = e->slot;
	}
	for (int t = 0; t < p->nthreads; t++)
		if (r->state[t] == SPINNING || r->state[t] == AT_LOCK)
			execution_waits(x, gp_slot(t, r->pc[t]));
	for (int l = 0; l < GP_PLACES; l++)
		x->memory[l] = nwrites[l] ? last_write(l)->value : p->initial[l];
}

/* Does the event read the newest write? */
static bool newest(const struct ax_event *e)
{
	const struct ax_event *w = last_write(e->place);

	return w ? e->rf >= 0 && &graph.e[e->rf] == w : e->rf < 0;
}

/* Would the thread wait for ever if no other thread moved? */
static bool waits(const struct run *r, int t)
{
	int slot = gp_slot(t, r->pc[t]);

	if (r->state[t] == AT_LOCK) {
		const struct gp_op *o = &p->op[t][r->pc[t]];
		const struct ax_event *w = last_write(o->place);
		int value = w ? w->value : p->initial[o->place];

		return !is_free(o->kind, value) && !only_looks(o->kind, value);
	}
	for (int i = 0; i < graph.n; i++)
		if (graph.e[i].slot == slot && graph.e[i].kind == EV_READ && !newest(&graph.e[i]))
			return false;
	return true;
}

enum verdict { COMPLETE, STUCK, BLOCKED, FAILURE, NO_LEAF };

static enum verdict verdict(const struct run *r)
{
	enum verdict v = COMPLETE;

	for (int t = 0; t < p->nthreads; t++) {
		if (r->state[t] == ENDED || (r->state[t] == UNBORN && !gp_is_spawned(p, t)))
			continue;
		if (r->state[t] == AT_LOCK && !waits(r, t))
			return NO_LEAF;
		if (r->state[t] == FAILED)
			return FAILURE;
		if (r->state[t] == REFUSED || !waits(r, t))
			v = BLOCKED;
		else if (v == COMPLETE)
			v = STUCK;
	}
	return v;
}

static bool some_order[GP_MODELS]; /* of the writes makes the run consistent */

static void judge(const struct run *r)
{
	enum verdict v = verdict(r);
	bool consistent[GP_MODELS];
	struct execution x;

	ax_ordered();
	for (int m = 0; m < GP_MODELS; m++)
		some_order[m] |= consistent[m] = ax_consistent((enum gp_model)m);
	if (v == NO_LEAF)
		return;
	describe(r, &x);
	for (int m = 0; m < GP_MODELS; m++) {
		if (!consistent[m])
			continue;
		if (!result->race[m])
			result->race[m] = ax_racy((enum gp_model)m);
		result->failure[m] |= v == FAILURE;
		if (v == STUCK) {
			executions_add(&result->stuck[m], &x, PART_ALL);
			executions_add(&result->stuck_rf[m], &x, PART_RF);
		}
		if (v != COMPLETE)
			continue;
		executions_add(&result->complete[m], &x, PART_ALL);
		executions_add(&result->rf[m], &x, PART_RF);
		executions_add(&result->outcomes[m], &x, PART_OUTCOME);
	}
}

static bool all_orders(const struct run *r, int place)
{
	if (place == GP_PLACES) {
		judge(r);
		return ++result->candidates <= most;
	}
	for (int k = 0; k < orders[place].n; k++) {
		for (int i = 0; i < nwrites[place]; i++)
			graph.e[writes[place][i]].at = orders[place].order[k][i];
		if (!all_orders(r, place + 1))
			return false;
	}
	return true;
}

static bool finished(const struct run *r)
{
	sort_events(r);
	ax_begin(&graph);
	memset(some_order, 0, sizeof some_order);
	for (int l = 0; l < GP_PLACES; l++) {
		if (nwrites[l] >= CO_MAX)
			return false;
		orders[l].n = 0;
		orders[l].order = storage[l];
		permute(l, 0, 0, -1);
	}
	if (!all_orders(r, 0))
		return false;
	if (enumerate_look)
		enumerate_look(&graph, some_order);
	return true;
}

/* --- choosing --------------------------------------------------------------------------------- */

static bool visit(struct run r);

static bool may_write(const struct gp_op *o, int place)
{
	switch (o->kind) {
	case GP_STORE:
	case GP_PLAIN_STORE:
	case GP_ADD:
	case GP_XCHG:
	case GP_CAS:
	case GP_WEAK_CAS:
	case GP_AWAIT_CAS:
	case GP_AWAIT_XCHG: return gp_covers(o, place);
	default:
		return is_of_lock(o->kind) && o->kind != GP_SEM_VALUE && o->place == place;
	}
}

static bool choose_source(const struct run *r, int t)
{
	const struct gp_op *o = &p->op[t][r->pc[t]];
	int slot = gp_slot(t, r->pc[t]), place = run_read_place(r, t, o);
	int k = o->pieces > 1 ? place - o->place : r->sub[t];
	struct run next;

	for (int u = 0; u < p->nthreads; u++)
		for (int i = 0; i < (u == t ? r->pc[t] : p->nops[u]); i++) {
			int source = gp_slot(u, i);
			bool done = r->pc[u] > i ||
				    (r->state[u] != RUNNING && r->state[u] != UNBORN);

			if (!may_write(&p->op[u][i], place) || (done && !r->wrote[source]))
				continue;
			if ((o->kind == GP_UNLOCK || o->kind == GP_DIE) && u != t)
				continue;
			next = *r;
			next.source[slot][k] = (uint8_t)source;
			if (!visit(next))
				return false;
		}
	next = *r;
	next.source[slot][k] = SLOT_INIT;
	if (!visit(next))
		return false;
	if (!may_wait(o->kind))
		return true;
	next.source[slot][0] = WAITS;
	return visit(next);
}

static bool choose_rare(const struct run *r, int t)
{
	struct run next = *r;
	int slot = gp_slot(t, r->pc[t]);

	next.rare[slot] = RARE;
	if (!visit(next))
		return false;
	if (r->rares == p->weak_cas)
		return true;
	next.rare[slot] = RARE + 1;
	next.rares++;
	return visit(next);
}

static bool choose_value(const struct run *r, int t)
{
	struct run next = *r;

	for (int i = 0; i < p->op[t][r->pc[t]].value; i++) {
		next.source[gp_slot(t, r->pc[t])][0] = (uint8_t)i;
		if (!visit(next))
			return false;
	}
	return true;
}

/* False: there are too many candidates. */
static bool visit(struct run r)
{
	enum step s, question = GONE_ON;
	bool waiting = false, moved;
	int asks = -1;

	if (++visits > 10 * most)
		return false;
	do {
		moved = waiting = false;
		asks = -1;
		for (int t = 0; t < p->nthreads; t++) {
			do {
				if (r.n > EVENTS_MAX - 5)
					return false;
				s = r.state[t] == RUNNING ? run_step(&r, t) : WAIT_FOR_SOURCE;
				moved |= s == GONE_ON;
			} while (s == GONE_ON);
			if (s == IMPOSSIBLE)
				return true;
			waiting |= r.state[t] == RUNNING && s == WAIT_FOR_SOURCE;
			if (s != WAIT_FOR_SOURCE && s != WAIT_FOR_THREADS && asks < 0) {
				asks = t;
				question = s;
			}
		}
	} while (moved);
	if (asks < 0)
		return waiting || finished(&r);
	if (question == CHOOSE_SOURCE)
		return choose_source(&r, asks);
	return question == CHOOSE_RARE ? choose_rare(&r, asks) : choose_value(&r, asks);
}

bool enumerate(const struct gprogram *program, unsigned long limit, struct enumeration *e)
{
	struct run r;

	p = program;
	result = e;
	most = limit;
	visits = 0;
	run_begin(&r, p);
	for (int m = 0; m < GP_MODELS; m++) {
		executions_clear(&e->complete[m]);
		executions_clear(&e->rf[m]);
		executions_clear(&e->outcomes[m]);
		executions_clear(&e->stuck[m]);
		executions_clear(&e->stuck_rf[m]);
		e->race[m] = e->failure[m] = false;
	}
	e->candidates = 0;
	return visit(r);
}
