/* SPDX-License-Identifier: ISC */
/*
 * orders_random.c - writes random pairs of programs for orders.c, as C.
 *
 *     orders_random SEED N
 *
 * The two of a pair make the same accesses in the same order. The orders and fences in the source
 * of the real one are in an orders file for the base one.
 */
#include "../random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

enum kind { LOAD, STORE, RMW, CAS, FENCE, AWAIT, PLAIN_LOAD, PLAIN_STORE };

struct op {
	enum kind kind;
	unsigned x, value;
	int order, fail;	   /* of base */
	int real_order, real_fail; /* -1: no fence */
	int before, after;	   /* 0: none */
};

static const char *const orders[] = {
	"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
static const int of_load[] = {0, 2, 5}, of_store[] = {0, 3, 5}, of_rmw[] = {0, 2, 3, 4, 5};

static int order_for(enum kind k)
{
	switch (k) {
	case LOAD:
	case AWAIT: return of_load[pick(3)];
	case STORE: return of_store[pick(3)];
	case FENCE: return of_rmw[1 + pick(4)];
	case RMW:
	case CAS: return of_rmw[pick(5)];
	default: return 0;
	}
}

static struct op random_op(bool plain, bool await)
{
	static const enum kind kinds[] = {LOAD, LOAD, LOAD, STORE, STORE, STORE, RMW, CAS, FENCE};
	struct op o = {kinds[pick(9)], pick(2), 1 + pick(2), 0, 0, 0, 0, 0, 0};

	if (plain && !pick(3))
		o.kind = pick(2) ? PLAIN_LOAD : PLAIN_STORE;
	if (plain && o.kind == CAS) /* its expected value would be accessed plainly, too */
		o.kind = RMW;
	if (await && !pick(4))
		o.kind = AWAIT;
	o.order = order_for(o.kind);
	o.real_order = pick(2) ? order_for(o.kind) : o.order;
	if (o.kind == FENCE && !pick(3))
		o.real_order = -1;
	o.fail = of_load[pick(3)];
	o.real_fail = of_load[pick(3)];
	if (!pick(4))
		o.before = of_rmw[1 + pick(4)];
	if (!pick(4))
		o.after = of_rmw[1 + pick(4)];
	return o;
}

/* --- as C ------------------------------------------------------------------------------------ */

static void put_fence(int order)
{
	if (order > 0)
		printf("\tatomic_thread_fence(memory_order_%s);\n", orders[order]);
}

static void put_op(const struct op *o, int order, int fail)
{
	const char *name = order >= 0 ? orders[order] : "";

	switch (o->kind) {
	case LOAD:
		printf("\tr = r * 4 + atomic_load_explicit(&orders_x[%u], memory_order_%s);\n",
			o->x, name);
		break;
	case STORE:
		printf("\tatomic_store_explicit(&orders_x[%u], %u, memory_order_%s);\n", o->x,
			o->value, name);
		break;
	case RMW:
		printf("\tr = r * 4 + atomic_exchange_explicit(&orders_x[%u], %u, "
		       "memory_order_%s);\n",
			o->x, o->value, name);
		break;
	case CAS:
		printf("\te = %u;\n\tatomic_compare_exchange_strong_explicit(&orders_x[%u], &e, 3, "
		       "memory_order_%s, memory_order_%s);\n\tr = r * 4 + e;\n",
			o->value, o->x, name, orders[fail]);
		break;
	case FENCE: put_fence(order); break;
	case AWAIT:
		printf("\twhile (atomic_load_explicit(&orders_x[%u], memory_order_%s) != "
		       "%u)\n\t\t;\n",
			o->x, name, o->value);
		break;
	case PLAIN_LOAD: printf("\tr = r * 4 + orders_p;\n"); break;
	case PLAIN_STORE: printf("\torders_p = %u;\n", o->value); break;
	}
}

/* A loop has its fences in it: they are at the load's site. */
static void put_real(const struct op *o)
{
	if (o->kind != AWAIT) {
		put_fence(o->before);
		put_op(o, o->real_order, o->real_fail);
		put_fence(o->after);
		return;
	}
	printf("\tfor (;;) {\n");
	put_fence(o->before);
	printf("\te = atomic_load_explicit(&orders_x[%u], memory_order_%s);\n", o->x,
		orders[o->real_order]);
	put_fence(o->after);
	printf("\tif (e == %u)\n\t\tbreak;\n\t}\n", o->value);
}

static void put_wants(const struct op *o)
{
	printf("\"");
	if (o->real_order < 0)
		printf("order=none ");
	else if (o->real_order != o->order)
		printf("order=%s ", orders[o->real_order]);
	if (o->kind == CAS)
		printf("fail=%s ", orders[o->real_fail]);
	if (o->before)
		printf("before=%s ", orders[o->before]);
	if (o->after)
		printf("after=%s", orders[o->after]);
	printf("\", ");
}

static void put_function(
	unsigned program, unsigned thread, const char *which, const struct op *op, unsigned n)
{
	printf("static int p%u_t%u_%s(void)\n{\n\tint r = 0, e = 0;\n\n", program, thread, which);
	for (unsigned i = 0; i < n; i++) {
		if (!strcmp(which, "base"))
			put_op(&op[i], op[i].order, op[i].fail);
		else
			put_real(&op[i]);
	}
	printf("\t(void)e;\n\treturn r;\n}\n\n");
}

struct program {
	unsigned nthreads, n[4];
	bool plain, await;
	struct op op[4][8];
};

/* Each thread a word, two letters an operation: (R)ead, (W)rite, of 0 or 1. */
static const char *const litmus[][4] = {
	{"W0R1", "W1R0"},
	{"W0W1", "R1R0"},
	{"R0W1", "R1W0"},
	{"W0W1", "W1W0"},
	{"W0", "R0R1", "W1R0"},
	{"W0W1", "W1R0"},
	{"W0", "W1", "R0R1", "R1R0"},
	{"W0", "R0W1", "R1R0"},
};

/* Weak orders in base, strong ones in real, or the other way round; or fences that were not
 * there. */
static void put_litmus(struct program *p, const char *const *word)
{
	unsigned how = pick(3);

	for (; p->nthreads < 4 && word[p->nthreads]; p->nthreads++) {
		const char *w = word[p->nthreads];
		unsigned t = p->nthreads, last = (unsigned)strlen(w) / 2;

		for (unsigned i = 0; i < last; i++) {
			struct op o = {w[2 * i] == 'R' ? LOAD : STORE, (unsigned)w[2 * i + 1] - '0',
				1, 0, 0, 0, 0, 0, 0};
			int strong = o.kind == LOAD ? of_load[1 + pick(2)] : of_store[1 + pick(2)];

			o.order = how == 0 ? strong : 0;
			o.real_order = how == 1 ? strong : 0;
			if (how == 2 && i + 1 < last)
				o.after = of_rmw[2 + pick(3)];
			p->op[t][p->n[t]++] = o;
		}
	}
}

static void put_random(struct program *p)
{
	p->nthreads = pick(3) ? 2 : 3;
	p->plain = !pick(3);
	p->await = !p->plain && !pick(3);
	for (unsigned t = 0; t < p->nthreads; t++) {
		p->n[t] = p->nthreads == 3 ? 1 + pick(2) : 2 + pick(2);
		for (unsigned i = 0; i < p->n[t]; i++)
			p->op[t][i] = random_op(p->plain, p->await);
	}
}

static void put_program(struct program *p, unsigned number)
{
	unsigned shapes = sizeof litmus / sizeof *litmus;

	if (number % 2)
		put_random(p);
	else
		put_litmus(p, litmus[number / 2 % shapes]);
	for (unsigned t = 0; t < p->nthreads; t++) {
		put_function(number, t, "base", p->op[t], p->n[t]);
		put_function(number, t, "real", p->op[t], p->n[t]);
	}
}

static void put_row(const struct program *p, unsigned number)
{
	printf("\t{\"%u\", %d, {", number, p->plain);
	for (unsigned t = 0; t < p->nthreads; t++) {
		printf("{p%u_t%u_base, p%u_t%u_real, {", number, t, number, t);
		for (unsigned i = 0; i < p->n[t]; i++)
			put_wants(&p->op[t][i]);
		printf("}}, ");
	}
	printf("}},\n");
}

int main(int argc, char **argv)
{
	unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10;
	struct program *p = calloc(n, sizeof *p);

	state = argc > 1 ? (uint64_t)atoll(argv[1]) : 1;
	printf("#include \"orders.h\"\n\n");
	for (unsigned i = 0; p && i < n; i++)
		put_program(&p[i], i);
	printf("const struct orders_case orders_cases[] = {\n");
	for (unsigned i = 0; p && i < n; i++)
		put_row(&p[i], i);
	printf("};\nconst int orders_ncases = %u;\n", n);
	return !p;
}
