/* SPDX-License-Identifier: ISC */
/*
 * cyclic_machine.c - see cyclic.h: the machine has store buffers of its own; its states are
 * collected breadth first, in a table that compares them byte by byte.
 */
#include "cyclic.h"
#include "../random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK 0xff

enum wait { RUNS, FULL, DRAINS };

struct thread {
	uint8_t pc, r, phase, wait, n;
	uint8_t stored; /* since its last full fence; stepwise */
	uint8_t entry[CYCLIC_BUFFER]; /* variable << 4 | value, or MARK */
};

struct state {
	uint8_t memory[CYCLIC_VARS], owner[CYCLIC_LOCKS]; /* thread + 1 */
	struct thread thread[CYCLIC_THREADS];
};

static const struct cyclic_program *program;
static enum cyclic_model model;
static unsigned room;
static bool stepwise; /* stores and fences are steps, too */
static struct cyclic_views *views;
static struct cyclic_result result;

/* --- views ------------------------------------------------------------------------------------ */

uint64_t cyclic_pack(const uint8_t view[CYCLIC_VIEW])
{
	uint64_t packed = 0;

	for (unsigned i = 0; i < CYCLIC_VIEW; i++)
		packed = packed << 4 | view[i];
	return packed;
}

static uint64_t *find_view(const struct cyclic_views *v, uint64_t view)
{
	uint64_t hash = view;
	uint32_t i = (uint32_t)(random_mix(&hash) % v->room);

	while (v->view[i] && v->view[i] != view + 1)
		i = (i + 1) % v->room;
	return &v->view[i];
}

void cyclic_see(struct cyclic_views *v, uint64_t view)
{
	uint64_t *at = find_view(v, view);

	if (!*at && ++v->n > v->room / 2)
		abort();
	*at = view + 1;
}

void cyclic_clear(struct cyclic_views *v)
{
	memset(v->view, 0, v->room * sizeof *v->view);
	v->n = 0;
}

bool cyclic_includes(const struct cyclic_views *b, const struct cyclic_views *a)
{
	for (uint32_t i = 0; i < a->room; i++)
		if (a->view[i] && !*find_view(b, a->view[i] - 1))
			return false;
	return true;
}

bool cyclic_same(const struct cyclic_views *a, const struct cyclic_views *b)
{
	return a->n == b->n && cyclic_includes(b, a);
}

static void see_state(const struct state *s)
{
	uint8_t view[CYCLIC_VIEW] = {0};

	memcpy(view, s->memory, CYCLIC_VARS);
	for (unsigned t = 0; t < program->threads; t++) {
		view[CYCLIC_VARS + 2 * t] = s->thread[t].pc;
		view[CYCLIC_VARS + 2 * t + 1] = s->thread[t].r;
	}
	cyclic_see(views, cyclic_pack(view));
}

/* --- steps ------------------------------------------------------------------------------------ */

static void begin_op(struct state *s, struct thread *t, int pc)
{
	t->pc = (uint8_t)pc;
	t->phase = 0;
	see_state(s);
}

static bool wait_for(struct thread *t, enum wait w)
{
	t->wait = w;
	result.full |= w == FULL;
	return false;
}

static bool put_mark(struct thread *t)
{
	if (model != CYCLIC_PSO || !t->n)
		return true;
	if (t->n >= room)
		return wait_for(t, FULL);
	if (t->entry[t->n - 1] != MARK)
		t->entry[t->n++] = MARK;
	return true;
}

/* The rest of a store, or of a fence, after the mark; false: the thread waits. */
static bool put_store(struct thread *t, const struct cyclic_op *o)
{
	if (t->phase == 0) {
		if (o->order >= CYCLIC_RELEASE && !put_mark(t))
			return false;
		t->phase = 1;
	}
	if (t->phase == 1) {
		if (t->n >= room)
			return wait_for(t, FULL);
		t->entry[t->n++] = (uint8_t)(o->where << 4 |
					     (o->kind == CYCLIC_STORE ? o->value : t->r));
		t->phase = 2;
	}
	return o->order != CYCLIC_SEQ_CST || !t->n || wait_for(t, DRAINS);
}

static bool make_fence(struct thread *t, const struct cyclic_op *o)
{
	if (o->order == CYCLIC_SEQ_CST)
		return !t->n || wait_for(t, DRAINS);
	return put_mark(t);
}

/* Stepwise: fences that have an effect. */
static bool is_step(const struct thread *t, const struct cyclic_op *o)
{
	return stepwise && (o->order == CYCLIC_SEQ_CST ? t->stored : model == CYCLIC_PSO);
}

/* Run the thread until its next operation is one that others can see. */
static void run(struct state *s, unsigned k)
{
	struct thread *t = &s->thread[k];

	t->wait = RUNS;
	for (;;) {
		const struct cyclic_op *o = &program->op[k][t->pc];
		int pc = t->pc + 1;

		switch (o->kind) {
		case CYCLIC_STORE:
		case CYCLIC_STORE_R:
			if (model == CYCLIC_SC || stepwise || !put_store(t, o))
				return;
			break;
		case CYCLIC_FENCE:
			if (is_step(t, o) || !make_fence(t, o))
				return;
			break;
		case CYCLIC_SKIP: pc += t->r == o->value; break;
		case CYCLIC_AGAIN: pc = t->r == o->value ? t->pc - 1 : pc; break;
		case CYCLIC_ASSERT:
			if (t->r == o->value) {
				result.fails = true;
				t->pc = 0xff; /* the end of all */
				return;
			}
			break;
		case CYCLIC_LOOP: pc = 0; break;
		default: return;
		}
		begin_op(s, t, pc);
	}
}

static uint8_t seen_by(const struct state *s, const struct thread *t, uint8_t where)
{
	for (unsigned i = t->n; i--;)
		if (t->entry[i] != MARK && t->entry[i] >> 4 == where)
			return t->entry[i] & 15;
	return s->memory[where];
}

static bool is_buffered(const struct cyclic_op *o)
{
	return o->kind == CYCLIC_STORE || o->kind == CYCLIC_STORE_R || o->kind == CYCLIC_FENCE;
}

/* Stepwise: a store or a fence, or what is left of it. */
static bool make_buffered(struct state *s, unsigned k)
{
	struct thread *t = &s->thread[k], before = *t;
	const struct cyclic_op *o = &program->op[k][t->pc];
	bool done;

	if (!stepwise)
		return false;
	t->wait = RUNS;
	done = o->kind == CYCLIC_FENCE ? make_fence(t, o) : put_store(t, o);
	t->stored = o->order != CYCLIC_SEQ_CST && (t->stored || o->kind != CYCLIC_FENCE);
	if (!done)
		return memcmp(&before, t, sizeof before) != 0;
	begin_op(s, t, t->pc + 1);
	run(s, k);
	return true;
}

/* The operation at which the thread is; false: it has to wait. */
static bool make_step(struct state *s, unsigned k)
{
	struct thread *t = &s->thread[k];
	const struct cyclic_op *o = &program->op[k][t->pc];
	uint8_t old = s->memory[o->where % CYCLIC_VARS];

	if (model != CYCLIC_SC && is_buffered(o))
		return make_buffered(s, k);
	if (t->wait || (t->n && o->kind != CYCLIC_LOAD))
		return false;
	switch (o->kind) {
	case CYCLIC_STORE: s->memory[o->where] = o->value; break;
	case CYCLIC_STORE_R: s->memory[o->where] = t->r; break;
	case CYCLIC_LOAD: t->r = seen_by(s, t, o->where); break;
	case CYCLIC_EXCHANGE:
		s->memory[o->where] = o->value;
		t->r = old;
		break;
	case CYCLIC_CAS:
		if (old == o->value)
			s->memory[o->where] = o->other;
		t->r = old;
		break;
	case CYCLIC_LOCK:
		if (s->owner[o->where])
			return false;
		s->owner[o->where] = (uint8_t)(k + 1);
		break;
	case CYCLIC_UNLOCK: s->owner[o->where] = 0; break;
	}
	begin_op(s, t, t->pc + 1);
	run(s, k);
	return true;
}

/* May this entry reach memory now? */
static bool is_ready(const struct thread *t, unsigned i)
{
	if (t->entry[i] == MARK || (i && model == CYCLIC_TSO))
		return false;
	for (unsigned k = 0; k < i; k++)
		if (t->entry[k] == MARK || t->entry[k] >> 4 == t->entry[i] >> 4)
			return false;
	return true;
}

static void remove_entry(struct thread *t, unsigned i)
{
	memmove(t->entry + i, t->entry + i + 1, t->n - i - 1u);
	t->entry[--t->n] = 0;
}

static bool make_commit(struct state *s, unsigned k, unsigned i)
{
	struct thread *t = &s->thread[k];

	if (i >= t->n || !is_ready(t, i))
		return false;
	s->memory[t->entry[i] >> 4] = t->entry[i] & 15;
	remove_entry(t, i);
	while (t->n && t->entry[0] == MARK)
		remove_entry(t, 0);
	for (unsigned m = 1; m < t->n; m++) /* two marks are one */
		if (t->entry[m] == MARK && t->entry[m - 1] == MARK)
			remove_entry(t, m--);
	if (!stepwise && ((t->wait == FULL && t->n < room) || (t->wait == DRAINS && !t->n)))
		run(s, k);
	return true;
}

/* --- all states ------------------------------------------------------------------------------- */

static struct {
	struct state *state;
	uint32_t *slot; /* 1 + index */
	uint32_t n, most, slots;
} all;

static void add_state(const struct state *s)
{
	const uint8_t *bytes = (const uint8_t *)s;
	uint64_t hash = 14695981039346656037u;
	uint32_t i;

	for (size_t k = 0; k < sizeof *s; k++)
		hash = (hash ^ bytes[k]) * 1099511628211u;
	for (i = (uint32_t)(hash % all.slots); all.slot[i]; i = (i + 1) % all.slots)
		if (!memcmp(&all.state[all.slot[i] - 1], s, sizeof *s))
			return;
	if (all.n == all.most) {
		result.cut = true;
		return;
	}
	all.state[all.n++] = *s;
	all.slot[i] = all.n;
}

static bool has_ended(const struct state *s)
{
	for (unsigned t = 0; t < program->threads; t++)
		if (s->thread[t].pc == 0xff)
			return true;
	return false;
}

static void expand(struct state from)
{
	struct state s;
	bool moved = false;

	if (has_ended(&from))
		return;
	for (unsigned t = 0; t < program->threads; t++) {
		s = from;
		if (make_step(&s, t)) {
			moved = true;
			add_state(&s);
		}
		for (unsigned i = 0; i < CYCLIC_BUFFER; i++) {
			s = from;
			if (!make_commit(&s, t, i))
				continue;
			moved = true;
			add_state(&s);
		}
	}
	result.deadlocks |= !moved;
}

struct cyclic_result cyclic_explore(const struct cyclic_program *p, enum cyclic_model m,
	unsigned buffer, bool by_step, uint32_t most, struct cyclic_views *v)
{
	struct state first;

	program = p;
	model = m;
	room = buffer;
	stepwise = by_step;
	views = v;
	result = (struct cyclic_result){0};
	memset(&first, 0, sizeof first);
	all.most = most;
	all.slots = 4 * most + 1;
	all.state = malloc(most * sizeof *all.state);
	all.slot = calloc(all.slots, sizeof *all.slot);
	all.n = 0;
	if (!all.state || !all.slot)
		abort();
	for (unsigned t = 0; t < p->threads && !has_ended(&first); t++) {
		begin_op(&first, &first.thread[t], 0);
		run(&first, t);
	}
	add_state(&first);
	for (uint32_t i = 0; i < all.n && !result.cut; i++)
		expand(all.state[i]);
	result.states = all.n;
	free(all.state);
	free(all.slot);
	return result;
}

/* --- programs --------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint8_t below(unsigned n)
{
	return (uint8_t)random_below(&random_state, n);
}

static struct cyclic_op choose_op(bool may_again)
{
	static const uint8_t kinds[] = {CYCLIC_STORE, CYCLIC_STORE, CYCLIC_STORE, CYCLIC_STORE_R,
		CYCLIC_LOAD, CYCLIC_LOAD, CYCLIC_LOAD, CYCLIC_EXCHANGE, CYCLIC_CAS, CYCLIC_FENCE,
		CYCLIC_SKIP, CYCLIC_AGAIN, CYCLIC_ASSERT};
	struct cyclic_op o = {.kind = kinds[below(sizeof kinds)], .where = below(CYCLIC_VARS),
		.value = below(3), .other = below(3), .order = below(3)};

	if (o.kind == CYCLIC_AGAIN && !may_again)
		o.kind = CYCLIC_LOAD;
	if (o.kind == CYCLIC_ASSERT && below(2))
		o.kind = CYCLIC_SKIP;
	if (o.kind == CYCLIC_FENCE)
		o.order = 1 + below(2);
	return o;
}

/* Is it an operation that others can see, and that may not be left out? */
static bool may_repeat(const struct cyclic_op *o)
{
	return o->kind == CYCLIC_LOAD || o->kind == CYCLIC_EXCHANGE || o->kind == CYCLIC_CAS;
}

static unsigned generate_thread(struct cyclic_op *op, unsigned n)
{
	bool locks = below(4) == 0, two = locks && below(2);
	unsigned first = below(2), i = 0;

	if (locks)
		op[i++] = (struct cyclic_op){.kind = CYCLIC_LOCK, .where = (uint8_t)first};
	if (two)
		op[i++] = (struct cyclic_op){.kind = CYCLIC_LOCK, .where = (uint8_t)!first};
	for (unsigned k = 0; k < n; k++, i++)
		op[i] = choose_op(k && may_repeat(&op[i - 1]));
	/* Nothing is skipped that a thread needs: an unlock, or what keeps it from computing for
	 * ever. */
	if (op[i - 1].kind == CYCLIC_SKIP)
		op[i - 1].kind = CYCLIC_LOAD;
	if (two)
		op[i++] = (struct cyclic_op){.kind = CYCLIC_UNLOCK, .where = (uint8_t)!first};
	if (locks)
		op[i++] = (struct cyclic_op){.kind = CYCLIC_UNLOCK, .where = (uint8_t)first};
	else
		op[i++] = (struct cyclic_op){.kind = CYCLIC_LOAD, .where = below(CYCLIC_VARS)};
	op[i++] = (struct cyclic_op){.kind = CYCLIC_LOOP};
	return i;
}

/* A thread stores two values in turns; another one waits for each, and stores, too: it goes on only
 * as the first one's stores reach memory. */
static void generate_turns(struct cyclic_program *p)
{
	struct cyclic_op *a = p->op[0], *b = p->op[1];
	uint8_t turn = below(CYCLIC_VARS), order = below(2), later = below(2), n = 0;

	for (uint8_t k = 1; k <= 2; k++) {
		*a++ = (struct cyclic_op){
			.kind = CYCLIC_STORE, .where = turn, .value = k, .order = order};
		if (below(2))
			*a++ = choose_op(false);
	}
	*a++ = (struct cyclic_op){.kind = CYCLIC_LOAD, .where = below(CYCLIC_VARS)};
	*a = (struct cyclic_op){.kind = CYCLIC_LOOP};
	for (uint8_t k = 1; k <= 2; k++) {
		if (later != k - 1 || below(2))
			b[n++] = (struct cyclic_op){.kind = CYCLIC_STORE,
				.where = (uint8_t)((turn + 1) % CYCLIC_VARS), .value = below(3),
				.order = order};
		b[n++] = (struct cyclic_op){.kind = CYCLIC_LOAD, .where = turn};
		b[n++] = (struct cyclic_op){.kind = CYCLIC_AGAIN, .value = k};
	}
	b[n++] = (struct cyclic_op){.kind = CYCLIC_LOAD, .where = below(CYCLIC_VARS)};
	b[n] = (struct cyclic_op){.kind = CYCLIC_LOOP};
	if (p->threads == 3)
		generate_thread(p->op[2], 1);
}

void cyclic_generate(uint64_t seed, struct cyclic_program *p)
{
	memset(p, 0, sizeof *p);
	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	for (int i = 0; i < 8; i++)
		below(2);
	p->threads = below(3) ? 2 : 3;
	if (seed % 8 == CYCLIC_TURNS) {
		generate_turns(p);
		return;
	}
	for (unsigned t = 0; t < p->threads; t++)
		generate_thread(p->op[t], p->threads == 2 ? 2 + below(3) : 1 + below(2));
}

struct cyclic_op cyclic_op(const struct cyclic_program *p, int thread, int i)
{
	return p->op[thread][i];
}

void cyclic_print(const struct cyclic_program *p)
{
	static const char *const name[] = {"store", "store-r", "load", "exchange", "cas", "fence",
		"lock", "unlock", "skip", "again", "assert", "loop"};

	for (unsigned t = 0; t < p->threads; t++) {
		printf("#   T%u:", t + 1);
		for (const struct cyclic_op *o = p->op[t];; o++) {
			printf(" %s %d %d,%d (%d);", name[o->kind], o->where, o->value, o->other,
				o->order);
			if (o->kind == CYCLIC_LOOP)
				break;
		}
		printf("\n");
	}
}
