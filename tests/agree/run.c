/* SPDX-License-Identifier: ISC */
/* run.c - see run.h. */
#include "run.h"

#include "locks.h"

#include <string.h>

static const struct gprogram *p;

/* --- events ----------------------------------------------------------------------------------- */

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

int run_read_place(const struct run *r, int t, const struct gp_op *o)
{
	int k = 0;

	if (o->pieces > 1) {
		while (r->source[gp_slot(t, r->pc[t])][k] != UNCHOSEN)
			k++;
		return o->place + k;
	}
	return r->sub[t] ? gp_other(p, o->place) : o->place;
}

/* The write to this place by the slot's operation. */
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
		o->kind == GP_ONCE	? ACQ
		: gp_is_mutex(o->place) ? RLX
					: o->fail,
		source, false);
	full(r, t);
}

/* --- operations ------------------------------------------------------------------------------- */

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
	/* The operand was computed with the register already set, but no operation uses its
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

enum step run_step(struct run *r, int t)
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

void run_begin(struct run *r, const struct gprogram *program)
{
	p = program;
	*r = (struct run){.n = 0};
	memset(r->source, UNCHOSEN, sizeof r->source);
	for (int t = 0; t < p->nthreads; t++)
		if (gp_is_spawned(p, t))
			r->state[t] = UNBORN;
}
