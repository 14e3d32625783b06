/* SPDX-License-Identifier: ISC */
/* hardware_program.c - see hardware_program.h: random programs, and threads run by themselves. */
#include "hardware_program.h"

#include "base/prng.h"

#include <stdio.h>
#include <string.h>

/* --- threads ---------------------------------------------------------------------------------- */

struct runner {
	const struct hprogram *p;
	const uint8_t *value;
	uint32_t known;
	struct hp_event *event;
	int n;
	uint8_t reg[HP_OPS];
	uint32_t from[HP_OPS]; /* what a register depends on */
	uint32_t control;
};

static uint32_t depends_on(const struct runner *r, int reg)
{
	return reg == HP_NONE ? 0 : r->from[reg];
}

static struct hp_event *add_event(struct runner *r, int i, const struct hp_op *o, int kind)
{
	struct hp_event *e = &r->event[r->n++];

	*e = (struct hp_event){.kind = (uint8_t)kind,
		.order = o->order,
		.fence = o->fence,
		.op = (uint8_t)i,
		.control = r->control,
		.place = o->place};
	if (kind == HPE_FENCE)
		return e;
	e->address = depends_on(r, o->address);
	if (o->address != HP_NONE && o->selects && r->reg[o->address] & 1)
		e->place = o->other;
	return e;
}

static uint8_t operand(const struct runner *r, const struct hp_op *o)
{
	int v = o->value;

	if (o->source != HP_NONE && !o->times_0)
		v += r->reg[o->source];
	return (uint8_t)(v & 3);
}

/* The write of an RMW behind its read, event `at'. */
static void run_update(struct runner *r, int i, const struct hp_op *o, int at)
{
	uint32_t me = (uint32_t)1 << at, data = depends_on(r, o->source);
	uint8_t old = r->reg[i];
	struct hp_event *w;

	if (o->kind == HP_CAS && r->p->llsc)
		r->control |= me;
	if (o->kind == HP_CAS && (old != o->expected || r->value[at] & HP_FAILS))
		return;
	r->event[at].excl = true;
	r->event[at].picks = o->kind == HP_CAS && !r->p->llsc;
	w = add_event(r, i, o, HPE_WRITE);
	w->place = r->event[at].place;
	w->update = w->excl = true;
	w->value = operand(r, o);
	w->data = data;
	if (o->kind == HP_XOR)
		w->value ^= old;
	if (o->kind == HP_CAS)
		w->value = o->value;
	if (o->kind != HP_XCHG)
		w->data |= me;
}

/* False: the value of the read is not known, or not the awaited one. */
static bool run_read(struct runner *r, int i, const struct hp_op *o)
{
	int at = r->n;
	struct hp_event *e = add_event(r, i, o, HPE_READ);

	e->update = o->kind != HP_LOAD && o->kind != HP_AWAIT;
	e->no_result = o->no_result;
	e->awaits = o->kind == HP_AWAIT;
	e->awaited = o->expected;
	if (e->update && o->kind != HP_CAS)
		e->data = depends_on(r, o->source);
	if (!(r->known >> at & 1))
		return false;
	e->value = r->reg[i] = r->value[at] & (uint8_t)~HP_FAILS;
	r->from[i] = (uint32_t)1 << at;
	if (e->update)
		run_update(r, i, o, at);
	if (e->awaits)
		r->control |= (uint32_t)1 << at;
	return !e->awaits || e->value == e->awaited;
}

int hprogram_run(const struct hprogram *p, int thread, const uint8_t value[HP_EVENTS],
	uint32_t known, struct hp_event event[HP_EVENTS])
{
	struct runner r = {.p = p, .value = value, .known = known, .event = event};

	for (int i = 0; i < p->nops[thread]; i++) {
		const struct hp_op *o = &p->op[thread][i];
		struct hp_event *e;

		switch (o->kind) {
		case HP_BRANCH:
			r.control |= depends_on(&r, o->tested);
			if (r.reg[o->tested] == o->value)
				i += o->skips;
			break;
		case HP_FENCE: add_event(&r, i, o, HPE_FENCE); break;
		case HP_STORE:
			e = add_event(&r, i, o, HPE_WRITE);
			e->value = operand(&r, o);
			e->data = depends_on(&r, o->source);
			break;
		default:
			if (!run_read(&r, i, o))
				return r.n;
		}
	}
	return r.n;
}

/* --- random programs -------------------------------------------------------------------------- */

static struct prng prng;

static int below(int n)
{
	return (int)prng_below(&prng, (uint32_t)n);
}

static bool percent(int n)
{
	return below(100) < n;
}

#define ONE_OF(...) \
	((const int[]){__VA_ARGS__}[below((int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))])

struct making {
	struct hprogram *p;
	enum hp_mode mode;
	int thread, places, left;
	int reg[HP_OPS], nregs; /* that have been read */
	bool weak;	       /* all accesses are relaxed */
};

static struct hp_op *add_op(struct making *m, int kind)
{
	struct hp_op *o = &m->p->op[m->thread][m->p->nops[m->thread]++];

	*o = (struct hp_op){.kind = (uint8_t)kind,
		.address = HP_NONE,
		.source = HP_NONE,
		.tested = HP_NONE,
		.place = (uint8_t)below(m->places)};
	if (kind == HP_LOAD || kind >= HP_XOR)
		m->reg[m->nregs++] = m->p->nops[m->thread] - 1;
	return o;
}

/* A register that was read before the newest operation. */
static int some_register(const struct making *m, bool reads)
{
	int n = m->nregs - reads;

	return n > 0 ? m->reg[below(n)] : HP_NONE;
}

static void add_address(struct making *m, struct hp_op *o, bool reads)
{
	if (!percent(22))
		return;
	o->address = (int8_t)some_register(m, reads);
	o->selects = o->address != HP_NONE && percent(30);
	o->other = (uint8_t)((o->place + 1 + below(m->places - 1)) % m->places);
}

static void add_value(struct making *m, struct hp_op *o, bool reads, int likely)
{
	o->value = (uint8_t)(1 + below(2));
	if (!percent(likely))
		return;
	o->source = (int8_t)some_register(m, reads);
	if (o->source == HP_NONE)
		return;
	o->times_0 = percent(50);
	o->value = (uint8_t)(o->value - !o->times_0);
}

static int order(const struct making *m, int order)
{
	return m->weak || percent(60) ? HP_RLX : order;
}

static void make_branch(struct making *m)
{
	struct hp_op *o;
	int reg = some_register(m, false);

	if (reg == HP_NONE || !percent(18))
		return;
	o = add_op(m, HP_BRANCH);
	o->tested = (int8_t)reg;
	o->value = (uint8_t)ONE_OF(1, 2, 7);
	o->skips = (uint8_t)below(2);
}

static void make_update(struct making *m)
{
	struct hp_op *o = add_op(m, HP_XOR + below(3));

	add_address(m, o, true);
	o->order = (uint8_t)order(m, ONE_OF(HP_ACQ, HP_REL, HP_AR, HP_SC));
	add_value(m, o, true, o->kind == HP_CAS ? 0 : 30);
	o->expected = (uint8_t)below(2);
	m->left -= 2;
}

static void make_load(struct making *m)
{
	struct hp_op *o = add_op(m, m->mode == HP_C11 && percent(20) ? HP_AWAIT : HP_LOAD);

	add_address(m, o, true);
	o->selects &= o->kind == HP_LOAD;
	o->expected = (uint8_t)(1 + below(2));
	o->order = (uint8_t)order(m, ONE_OF(HP_ACQ, HP_ACQ, HP_SC));
	m->left--;
}

static void make_store(struct making *m)
{
	struct hp_op *o = add_op(m, HP_STORE);

	add_address(m, o, false);
	add_value(m, o, false, 45);
	o->order = (uint8_t)order(m, ONE_OF(HP_REL, HP_SC));
	m->left--;
}

static void make_fence(struct making *m)
{
	struct hp_op *o = add_op(m, HP_FENCE);

	if (m->mode == HP_INSTRUCTIONS)
		o->fence = (uint8_t)ONE_OF(
			HPF_DMB, HPF_DMB_LD, HPF_DMB_ST, HPF_ISB, HPF_DMB, HPF_LWSYNC);
	else
		o->order = (uint8_t)ONE_OF(HP_ACQ, HP_REL, HP_AR, HP_SC, HP_SC);
}

/* A store that its own thread reads, and passes on. */
static void make_forwarding(struct making *m)
{
	struct hp_op *w, *r, *next;

	make_store(m);
	w = &m->p->op[m->thread][m->p->nops[m->thread] - 1];
	w->address = HP_NONE;
	r = add_op(m, HP_LOAD);
	r->place = w->place;
	next = add_op(m, HP_STORE);
	next->source = (int8_t)some_register(m, false);
	m->left -= 2;
}

static void make_op(struct making *m, int updates)
{
	int k = below(100);

	if (percent(updates)) {
		make_update(m);
		return;
	}
	make_branch(m);
	if (m->mode == HP_FORWARDING && k < 60)
		make_forwarding(m);
	else if (k < 42)
		make_load(m);
	else if (k < 80)
		make_store(m);
	else if (k < 90)
		make_update(m);
	else
		make_fence(m);
}

static bool uses(const struct hp_op *o, int reg)
{
	return o->address == reg || o->source == reg || (o->kind == HP_BRANCH && o->tested == reg);
}

/* Some of the RMWs whose register is not used have no result. */
static void drop_results(struct hprogram *p)
{
	for (int t = 0; t < p->nthreads; t++)
		for (int i = 0; i < p->nops[t]; i++) {
			struct hp_op *o = &p->op[t][i];
			bool used = false;

			for (int k = i + 1; k < p->nops[t]; k++)
				used |= uses(&p->op[t][k], i);
			o->no_result = o->kind >= HP_XOR && o->kind <= HP_CAS && !used &&
				       percent(60);
		}
}

void hprogram_generate(struct hprogram *p, enum hp_mode mode, uint64_t seed)
{
	static const char *const names[] = {"c11", "instructions", "forwarding", "updates"};
	struct making m = {.p = p, .mode = mode, .left = 10};
	int updates;

	prng_seed(&prng, seed * HP_MODES + mode);
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s %llu", names[mode], (unsigned long long)seed);
	p->nthreads = mode >= HP_FORWARDING ? ONE_OF(2, 2, 3) : ONE_OF(2, 2, 2, 3, 3, 4);
	p->llsc = percent(40);
	p->rcpc = percent(30);
	m.places = mode >= HP_FORWARDING || percent(30) ? 3 : 2;
	m.weak = percent(40);
	updates = mode == HP_UPDATES ? 45 : percent(30) ? 35 : 0;
	for (m.thread = 0; m.thread < p->nthreads; m.thread++) {
		int n = p->nthreads == 2   ? 2 + below(3)
			: p->nthreads == 3 ? 1 + below(3)
					   : 1 + below(2);

		m.nregs = 0;
		for (int i = 0; i < n && m.left > 0 && p->nops[m.thread] < HP_OPS - 3; i++)
			make_op(&m, updates);
	}
	if (mode == HP_INSTRUCTIONS || mode == HP_UPDATES)
		drop_results(p);
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_op(const struct hp_op *o, int i)
{
	static const char *const kinds[] = {
		"load", "store", "fence", "branch", "xor", "xchg", "cas", "await"};
	static const char *const orders[] = {"rlx", "consume", "acq", "rel", "acq_rel", "sc"};
	static const char *const fences[] = {"", "dmb", "dmb.ld", "dmb.st", "lwsync", "isb"};

	printf("    %d: %s", i, kinds[o->kind]);
	if (o->kind == HP_BRANCH) {
		printf(" r%d == %d skips %d\n", o->tested, o->value, o->skips);
		return;
	}
	if (o->no_result)
		printf(" (no result)");
	printf(" %s", o->fence ? fences[o->fence] : orders[o->order]);
	if (o->kind != HP_FENCE) {
		printf(" %c", "xyzwabc"[o->place]);
		if (o->address != HP_NONE)
			printf("%s%c[%sr%d]", o->selects ? "/" : " ",
				o->selects ? "xyzwabc"[o->other] : ' ', o->selects ? "" : "0*",
				o->address);
	}
	if (o->kind == HP_STORE || o->kind >= HP_XOR)
		printf(" = %d", o->value);
	if (o->kind >= HP_CAS)
		printf(" if %d", o->expected);
	if (o->source != HP_NONE)
		printf(" + %sr%d", o->times_0 ? "0*" : "", o->source);
	printf("\n");
}

void hprogram_print(const struct hprogram *p)
{
	printf("%s%s%s\n", p->name, p->llsc ? ", llsc" : "", p->rcpc ? ", rcpc" : "");
	for (int t = 0; t < p->nthreads; t++) {
		printf("  thread %d\n", t);
		for (int i = 0; i < p->nops[t]; i++)
			print_op(&p->op[t][i], i);
	}
}
