/* SPDX-License-Identifier: ISC */
/* operations.c - see operations.h. */
#include "operations.h"

#include "../random.h"

#include <string.h>

static struct counted *c;
static struct gprogram *p;
static uint64_t state;
static bool overflow; /* it does not fit: generate another one */
static int nobjects;

/* Operations are only done if that register has that value (and another one that). */
static struct {
	int8_t reg;
	uint8_t value, also, also_value;
} when;

void operations_begin(struct counted *to, uint64_t random)
{
	c = to;
	p = &c->program;
	memset(c, 0, sizeof *c);
	memset(c->final, COUNT_ANY, sizeof c->final);
	state = random;
	overflow = false;
	nobjects = 0;
	always();
}

void operations_give_up(void)
{
	overflow = true;
}

bool operations_given_up(void)
{
	return overflow;
}

unsigned below(unsigned n)
{
	return (unsigned)(random_mix(&state) >> 33) % n;
}

int one_of(int a, int b, int d)
{
	unsigned n = below(4);

	return n < 2 ? a : n == 2 ? b : d;
}

int acquire(void)
{
	return below(4) ? ACQ : SEQ;
}

int release(void)
{
	return below(4) ? REL : SEQ;
}

int acquire_rmw(void)
{
	return one_of(ACQ, AR, SEQ);
}

int release_rmw(void)
{
	return one_of(REL, AR, SEQ);
}

/* --- operations ------------------------------------------------------------------------------- */

struct gp_op *put(int t, enum gp_kind kind, int place, int order, int value)
{
	static struct gp_op nowhere;
	struct gp_op *o = &nowhere;

	if (p->nops[t] < GP_OPS)
		o = &p->op[t][p->nops[t]++];
	else
		overflow = true;
	*o = (struct gp_op){.kind = (uint8_t)kind,
		.place = (uint8_t)place,
		.order = (uint8_t)order,
		.value = (uint8_t)value,
		.source = -1,
		.guard = when.reg,
		.guard_value = when.value,
		.also = when.also,
		.also_value = when.also_value};
	return o;
}

int get(int t, enum gp_kind kind, int place, int order, int value)
{
	put(t, kind, place, order, value);
	return p->nops[t] - 1;
}

int compare(int t, enum gp_kind kind, int place, int order, int from, int to)
{
	put(t, kind, place, order, to)->expected = (uint8_t)from;
	return p->nops[t] - 1;
}

void role(int t, enum role r)
{
	c->role[t][p->nops[t] - 1] = (uint8_t)r;
}

void only_if(int reg, int value)
{
	when.reg = (int8_t)reg;
	when.value = (uint8_t)value;
}

void only_if_also(int reg, int value)
{
	when.also = (uint8_t)(reg + 1);
	when.also_value = (uint8_t)value;
}

void always(void)
{
	when.reg = -1;
	when.also = when.also_value = 0;
}

void fence(int t, int order)
{
	put(t, GP_FENCE, 0, order, 0);
}

void must_be(int t, int reg, int value)
{
	struct gp_op *o = put(t, GP_ASSERT, 0, RLX, 0);

	o->source = (int8_t)(p->nops[t] - 1); /* which is never set: it is the value 0 */
	o->also = when.reg < 0 ? 0 : (uint8_t)(when.reg + 1);
	o->also_value = when.value;
	o->guard = (int8_t)reg;
	o->guard_value = (uint8_t)value;
	o->guard_not = true;
}

int memory(bool plain)
{
	if (p->nplaces == GP_MEMORY) {
		overflow = true;
		return 0;
	}
	c->plain[p->nplaces] = plain;
	c->final[p->nplaces] = COUNT_ANY;
	return p->nplaces++;
}

int flag(void)
{
	return memory(false);
}

int object(void)
{
	if (nobjects == GP_MUTEXES - 1) {
		overflow = true;
		return GP_MEMORY;
	}
	return GP_MEMORY + nobjects++;
}

int thread(void)
{
	return (int)below((unsigned)p->nthreads);
}

int other_than(int t)
{
	return (t + 1 + (int)below((unsigned)p->nthreads - 1)) % p->nthreads;
}

/* --- what is handed over ---------------------------------------------------------------------- */

struct payload payload(void)
{
	struct payload d = {.n = below(4) ? 1 : 2, .plain = below(5) != 0};

	for (int i = 0; i < d.n; i++)
		d.place[i] = memory(d.plain);
	return d;
}

static void put_value(int t, const struct payload *d, int i)
{
	put(t, d->plain ? GP_PLAIN_STORE : GP_STORE, d->place[i], RLX, d->value[i]);
}

void fill(int t, struct payload *d)
{
	for (int i = 0; i < d->n; i++) {
		d->value[i] = 1 + (int)below(5);
		put_value(t, d, i);
		c->final[d->place[i]] = (uint8_t)d->value[i];
	}
}

void fill_again(int t, const struct payload *d)
{
	for (int i = 0; i < d->n; i++)
		put_value(t, d, i);
}

int look(int t, const struct payload *d, int i)
{
	return get(t, d->plain ? GP_PLAIN_LOAD : GP_LOAD, d->place[i], RLX, 0);
}

void check(int t, const struct payload *d)
{
	for (int i = 0; i < d->n; i++)
		must_be(t, look(t, d, i), d->value[i]);
}

void own(int t, struct payload *d)
{
	check(t, d);
	if (below(3) == 0) {
		bool always_done = when.reg < 0;

		fill(t, d);
		for (int i = 0; i < d->n && !always_done; i++)
			c->final[d->place[i]] = COUNT_ANY;
	}
}

void count(int t, struct payload *d)
{
	for (int i = 0; i < d->n; i++) {
		int old = look(t, d, i);

		put(t, d->plain ? GP_PLAIN_STORE : GP_STORE, d->place[i], RLX, 1)->source =
			(int8_t)old;
		if (c->final[d->place[i]] == COUNT_ANY)
			c->final[d->place[i]] = 0;
		c->final[d->place[i]]++;
	}
}

void unknown(const struct payload *d)
{
	for (int i = 0; i < d->n; i++)
		c->final[d->place[i]] = COUNT_ANY;
}
