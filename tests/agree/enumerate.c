/* SPDX-License-Identifier: ISC */
/*
 * enumerate.c - see enumerate.h.
 *
 * A run lets every thread continue until it needs the value of a read whose source was not chosen,
 * or not executed. When no thread can continue, a source is chosen for one of the reads, each in
 * turn. A run in which reads wait for each other in a cycle, or for a missing write, is discarded.
 * For the others all values are known; then all orders of the writes are tried.
 */
#include "enumerate.h"

#include "axioms.h"
#include "locks.h"

#include <string.h>

enum state { RUNNING, ENDED, REFUSED, FAILED, SPINNING, AT_LOCK, UNBORN };

#define UNCHOSEN 254
#define WAITS	 253 /* the lock is not taken: the thread waits */
#define RARE	 200 /* + 0, 1: whether a weak CAS fails spuriously */

struct run {
	uint8_t source[GP_SLOTS + 1][GP_PIECES]; /* by slot */
	uint8_t rare[GP_SLOTS + 1];
	uint8_t wrote[GP_SLOTS + 1]; /* 1 + index of its write, the first of them */
	bool taken[GP_SLOTS + 1][GP_PIECES]; /* an RMW has read from it and written */
	bool init_taken[GP_PLACES];
	uint8_t reg[GP_THREADS][GP_OPS];
	uint8_t pc[GP_THREADS], sub[GP_THREADS], state[GP_THREADS];
	uint8_t met[GP_THREADS]; /* barriers */
	int rares, n;
	struct ax_event e[EVENTS_MAX]; /* as executed */
};

void (*enumerate_look)(const struct ax_graph *g, const bool consistent[GP_MODELS]);

static const struct gprogram *p;
static struct enumeration *result;
static unsigned long most, visits;

/* --- executing one operation ------------------------------------------------------------------ */

static struct ax_event *push(struct run *r, int t, enum event_kind kind, int place, int order)
{
	struct ax_event *e = &r->e[r->n++];

	*e = (struct ax_event){.thread = (uint8_t)t,
		.slot = (uint8_t)gp_slot(t, r->pc[t]),
		.rf = -1,
		.kind = (uint8_t)kind,
		.place = (uint8_t)place,
		.order = (uint8_t)order};
	e->sync = gp_is_mutex(place);
	return e;
}

/* A fence of the hardware's, if TSO or PSO needs one. */
static void barrier(
	struct run *r, int t, enum barrier tso, enum barrier pso, bool hardware, int order)
{
	struct ax_event *e;

	if (hardware && !tso && !pso)
		return;
	e = push(r, t, EV_FENCE, 0, order);
	e->hardware = hardware;
	e->barrier[GP_TSO] = (uint8_t)tso;
	e->barrier[GP_PSO] = (uint8_t)pso;
}

/* Marks have numbers: starts of threads, their ends, rounds of the barrier. */
enum { MARK_START = 1, MARK_END = 10, MARK_ROUND = 20 };

static void mark(struct run *r, int t, int number, bool waits)
{
	struct ax_event *e = push(r, t, EV_MARK, 0, RLX);

	e->mark = (uint8_t)number;
	e->waits = waits;
	e->barrier[GP_TSO] = e->barrier[GP_PSO] = BARRIER_FULL;
}

static void full(struct run *r, int t)
{
	barrier(r, t, BARRIER_FULL, BARRIER_FULL, true, RLX);
}

static void do_fence(struct run *r, int t, const struct gp_op *o)
{
	enum barrier tso = o->order == SEQ ? BARRIER_FULL : BARRIER_NONE;
	enum barrier pso = o->order == SEQ   ? BARRIER_FULL
			   : o->order >= REL ? BARRIER_STORES
					     : BARRIER_NONE;

	barrier(r, t, tso, pso, false, o->order);
}

static void write(struct run *r, int t, const struct gp_op *o, int order, uint64_t value, bool excl)
{
	r->wrote[gp_slot(t, r->pc[t])] = (uint8_t)(r->n + 1);
	for (int i = 0; i < gp_pieces(o); i++) {
		struct ax_event *e = push(r, t, EV_WRITE, o->place + i, order);

		e->value = (uint8_t)(value >> 8 * i);
		e->excl = excl;
		e->plain = o->kind == GP_PLAIN_STORE;
		e->piece = o->pieces > 1 ? (uint8_t)(i + 1) : 0;
	}
}

static void do_store(struct run *r, int t, const struct gp_op *o)
{
	if (o->kind == GP_STORE && o->order >= REL)
		barrier(r, t, BARRIER_NONE, BARRIER_STORES, true, RLX);
	write(r, t, o, o->order, gp_repeat(o, gp_operand(o, r->reg[t])), false);
	if (o->kind == GP_STORE && o->order == SEQ)
		full(r, t);
}

/* The place that the thread's operation reads next: of several, the first whose source has not been
 * chosen. */
static int read_place(const struct run *r, int t, const struct gp_op *o)
{
	int k = 0;

	if (o->pieces > 1) {
		while (r->source[gp_slot(t, r->pc[t])][k] != UNCHOSEN)
			k++;
		return o->place + k;
	}
	return r->sub[t] ? gp_other(p, o->place) : o->place;
}

/* The write of the slot's operation to this place. */
static int write_at(const struct run *r, int source, int place)
{
	const struct gp_op *o = &p->op[(source - 1) / GP_OPS][(source - 1) % GP_OPS];

	return r->wrote[source] - 1 + (o->pieces > 1 ? place - o->place : 0);
}

static struct ax_event *read_one(struct run *r, int t, int place, int order, int source)
{
	struct ax_event *e = push(r, t, EV_READ, place, order);

	e->value = p->initial[place];
	if (source != SLOT_INIT) {
		e->rf = (int8_t)write_at(r, source, place);
		e->value = r->e[e->rf].value;
	}
	return e;
}

/* All pieces of the operation, from their sources; or its only one from `source`. */
static void read_from(struct run *r, int t, const struct gp_op *o, int order, int source, bool excl)
{
	int slot = gp_slot(t, r->pc[t]);
	struct ax_event *e;

	if (o->pieces <= 1) {
		e = read_one(r, t, r->sub[t] ? gp_other(p, o->place) : o->place, order, source);
		e->excl = excl;
		e->plain = o->kind == GP_PLAIN_LOAD;
		return;
	}
	for (int i = 0; i < o->pieces; i++) {
		e = read_one(r, t, o->place + i, order, r->source[slot][i]);
		e->excl = excl;
		e->piece = (uint8_t)(i + 1);
	}
}

static uint64_t source_value(const struct run *r, int t, const struct gp_op *o, int source)
{
	int slot = gp_slot(t, r->pc[t]);
	uint64_t all = 0;

	if (o->pieces <= 1) {
		int place = r->sub[t] ? gp_other(p, o->place) : o->place;

		return source == SLOT_INIT ? p->initial[place]
					   : r->e[write_at(r, source, place)].value;
	}
	for (int i = o->pieces; i--;) {
		source = r->source[slot][i];
		all = all << 8 |
		      (source == SLOT_INIT ? p->initial[o->place + i]
					   : r->e[write_at(r, source, o->place + i)].value);
	}
	return all;
}

static bool take_one(struct run *r, int source, int place)
{
	const struct gp_op *o = &p->op[(source - 1) / GP_OPS][(source - 1) % GP_OPS];
	bool *taken = source == SLOT_INIT ? &r->init_taken[place]
					  : &r->taken[source][o->pieces > 1 ? place - o->place : 0];
	bool was = *taken;

	*taken = true;
	return !was;
}

static bool take(struct run *r, int t, const struct gp_op *o, int source)
{
	bool good = true;

	if (o->pieces <= 1)
		return take_one(r, source, o->place);
	for (int i = 0; i < o->pieces; i++)
		good &= take_one(r, r->source[gp_slot(t, r->pc[t])][i], o->place + i);
	return good;
}

/* Reads and writes next to each other; false if another RMW has the source already. */
static bool do_rmw(
	struct run *r, int t, const struct gp_op *o, int order, int source, uint64_t value)
{
	full(r, t);
	read_from(r, t, o, order, source, true);
	write(r, t, o, order, value, true);
	full(r, t);
	return take(r, t, o, source);
}

static bool do_exchange(struct run *r, int t, const struct gp_op *o, int source, uint64_t value)
{
	return do_rmw(r, t, o, o->order, source, value);
}

/* A CAS that fails, a trylock that finds it locked: */
static void do_failing(struct run *r, int t, const struct gp_op *o, int source)
{
	full(r, t);
	read_from(r, t, o,
		o->kind == GP_ONCE	    ? ACQ
		: gp_is_mutex(o->place) ? RLX
					    : o->fail,
		source, false);
	full(r, t);
}

enum step {
	GONE_ON,
	CHOOSE_SOURCE,
	CHOOSE_RARE,
	CHOOSE_VALUE,
	WAIT_FOR_SOURCE,
	WAIT_FOR_THREADS,
	IMPOSSIBLE
};

static enum step cas(struct run *r, int t, const struct gp_op *o, int source, uint64_t old)
{
	int slot = gp_slot(t, r->pc[t]);

	if (old == gp_repeat(o, o->expected) && o->kind == GP_WEAK_CAS) {
		if (!r->rare[slot])
			return CHOOSE_RARE;
		if (r->rare[slot] == RARE + 1) {
			do_failing(r, t, o, source);
			return GONE_ON;
		}
	}
	if (old != gp_repeat(o, o->expected)) {
		do_failing(r, t, o, source);
		if (o->kind == GP_AWAIT_CAS)
			r->state[t] = SPINNING;
		return GONE_ON;
	}
	return do_exchange(r, t, o, source, gp_repeat(o, gp_operand(o, r->reg[t]))) ? GONE_ON
										    : IMPOSSIBLE;
}

static enum step lock(struct run *r, int t, const struct gp_op *o, int source, int old)
{
	int next;

	if (only_looks(o->kind, old)) {
		do_failing(r, t, o, source);
		r->reg[t][r->pc[t]] = (uint8_t)looked(o->kind, old);
		return GONE_ON;
	}
	next = releases(o->kind) || is_free(o->kind, old) ? locked(o, t, old) : -1;
	if (next < 0)
		return IMPOSSIBLE;
	r->reg[t][r->pc[t]] = (uint8_t)took(o->kind, old);
	return do_rmw(r, t, o, releases(o->kind) ? REL : ACQ, source, (uint64_t)next) ? GONE_ON
										      : IMPOSSIBLE;
}

static void await(struct run *r, int t, const struct gp_op *o, int source)
{
	uint64_t got = o->pieces > 1 ? source_value(r, t, o, source) : 0;

	read_from(r, t, o, o->order, source, false);
	if (o->pieces <= 1)
		got = r->e[r->n - 1].value;
	if (o->pieces > 1 ? got == gp_repeat(o, gp_operand(o, r->reg[t]))
			  : got == (uint64_t)gp_operand(o, r->reg[t]))
		r->sub[t] = 0;
	else if (o->kind == GP_AWAIT_ANY && !r->sub[t])
		r->sub[t] = 1;
	else
		r->state[t] = SPINNING;
}

static enum step with_source(struct run *r, int t, const struct gp_op *o, int source)
{
	uint64_t old = source_value(r, t, o, source);

	if (is_of_lock(o->kind))
		return lock(r, t, o, source, (int)old);
	r->reg[t][r->pc[t]] = gp_digest(o, old);
	switch (o->kind) {
	case GP_LOAD: read_from(r, t, o, o->order, source, false); return GONE_ON;
	case GP_PLAIN_LOAD: read_from(r, t, o, RLX, source, false); return GONE_ON;
	case GP_AWAIT:
	case GP_AWAIT_ANY: await(r, t, o, source); return GONE_ON;
	case GP_CAS:
	case GP_WEAK_CAS:
	case GP_AWAIT_CAS: return cas(r, t, o, source, old);
	case GP_AWAIT_XCHG:
		if (!old)
			break; /* never of several places */
		do_failing(r, t, o, source);
		r->state[t] = SPINNING;
		return GONE_ON;
	case GP_ADD: old += gp_repeat(o, gp_operand(o, r->reg[t])); break;
	}
	if (o->kind != GP_ADD)
		old = gp_repeat(o, gp_operand(o, r->reg[t]));
	/* Careful: the operand was computed with the register already set; no operation uses its
	 * own. */
	return do_exchange(r, t, o, source, old) ? GONE_ON : IMPOSSIBLE;
}

static enum step reading(struct run *r, int t, const struct gp_op *o)
{
	const uint8_t *sources = r->source[gp_slot(t, r->pc[t])];
	int source = sources[r->sub[t]];

	for (int i = 0; i < gp_pieces(o) && o->pieces > 1; i++)
		if (sources[i] == UNCHOSEN)
			return CHOOSE_SOURCE;
	for (int i = 0; i < gp_pieces(o) && o->pieces > 1; i++)
		if (sources[i] != SLOT_INIT && !r->wrote[sources[i]])
			return WAIT_FOR_SOURCE;
	if (source == UNCHOSEN)
		return CHOOSE_SOURCE;
	if (source == WAITS) {
		r->state[t] = AT_LOCK;
		return GONE_ON;
	}
	if (source != SLOT_INIT && !r->wrote[source])
		return WAIT_FOR_SOURCE;
	return with_source(r, t, o, source);
}

static enum step meet(struct run *r, int t)
{
	int number = MARK_ROUND + r->met[t], n = 0;

	if (!r->sub[t]) {
		mark(r, t, number, false);
		r->sub[t] = 1;
		return GONE_ON;
	}
	for (int i = 0; i < r->n; i++)
		n += r->e[i].mark == number && !r->e[i].waits;
	if (n < p->nthreads)
		return WAIT_FOR_THREADS;
	mark(r, t, number, true);
	r->met[t]++;
	return GONE_ON;
}

static enum step join(struct run *r, int t, int other)
{
	if (r->state[other] != ENDED)
		return WAIT_FOR_THREADS;
	mark(r, t, MARK_END + other, true);
	return GONE_ON;
}

static enum step operation(struct run *r, int t, const struct gp_op *o)
{
	int slot = gp_slot(t, r->pc[t]);

	switch (o->kind) {
	case GP_STORE:
	case GP_PLAIN_STORE: do_store(r, t, o); return GONE_ON;
	case GP_FENCE: do_fence(r, t, o); return GONE_ON;
	case GP_ASSUME:
		if (r->reg[t][o->source] != o->value)
			r->state[t] = REFUSED;
		return GONE_ON;
	case GP_ASSERT:
		if (r->reg[t][o->source] == o->value)
			r->state[t] = FAILED;
		return GONE_ON;
	case GP_SPAWN:
		mark(r, t, MARK_START + o->value, false);
		r->state[o->value] = RUNNING;
		mark(r, o->value, MARK_START + o->value, true);
		return GONE_ON;
	case GP_JOIN: return join(r, t, o->value);
	case GP_BARRIER: return meet(r, t);
	case GP_CHOOSE:
		if (r->source[slot][0] == UNCHOSEN)
			return CHOOSE_VALUE;
		r->reg[t][r->pc[t]] = r->source[slot][0];
		return GONE_ON;
	default: return reading(r, t, o);
	}
}

/* The next step of a running thread. */
static enum step step(struct run *r, int t)
{
	const struct gp_op *o = &p->op[t][r->pc[t]];
	enum step s;
	int sub;

	if (r->pc[t] == p->nops[t]) {
		r->state[t] = ENDED;
		if (gp_is_spawned(p, t))
			mark(r, t, MARK_END + t, false);
		return GONE_ON;
	}
	if (gp_skipped(o, r->reg[t])) {
		r->pc[t]++;
		return GONE_ON;
	}
	sub = r->sub[t];
	s = operation(r, t, o);
	if (s == GONE_ON && r->state[t] == RUNNING && !(r->sub[t] && !sub)) {
		r->sub[t] = 0;
		r->pc[t]++;
	}
	return s;
}

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
	int slot = gp_slot(t, r->pc[t]), place = read_place(r, t, o);
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
				s = r.state[t] == RUNNING ? step(&r, t) : WAIT_FOR_SOURCE;
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
	struct run r = {.n = 0};

	p = program;
	result = e;
	most = limit;
	visits = 0;
	memset(r.source, UNCHOSEN, sizeof r.source);
	for (int t = 0; t < p->nthreads; t++)
		if (gp_is_spawned(p, t))
			r.state[t] = UNBORN;
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
