/* SPDX-License-Identifier: ISC */
/*
 * choices.c - litmus shapes with seq_cst everywhere, and all weaker alternatives.
 *
 *     choices SHAPE          the shape, once, for `heddle relax`: fails where SC forbids the
 *                            outcome
 *     choices SHAPE all      explore the shape with every combination of weaker orders, and
 *                            print the minimal ones that pass: orders in the order of the
 *                            code
 */
#include <heddle/heddle.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relax.h"

static atomic_int x, y;
static int r[4];

/* Each a place of its own. */
#define set(v)	   atomic_store(v, 1)
#define get(v)	   atomic_load(v)
#define fence()	   atomic_thread_fence(memory_order_seq_cst)
#define swap(v, n) atomic_compare_exchange_strong(v, &(int){0}, n)

static void *sb_0(void *arg)
{
	set(&x);
	r[0] = get(&y);
	return arg;
}

static void *sb_1(void *arg)
{
	set(&y);
	r[1] = get(&x);
	return arg;
}

static void *mp_0(void *arg)
{
	set(&x);
	set(&y);
	return arg;
}

static void *mp_1(void *arg)
{
	r[0] = get(&y);
	r[1] = get(&x);
	return arg;
}

static void *lb_0(void *arg)
{
	r[0] = get(&x);
	set(&y);
	return arg;
}

static void *lb_1(void *arg)
{
	r[1] = get(&y);
	set(&x);
	return arg;
}

static void *wrc_0(void *arg)
{
	set(&x);
	return arg;
}

static void *wrc_1(void *arg)
{
	r[0] = get(&x);
	set(&y);
	return arg;
}

static void *wrc_2(void *arg)
{
	r[1] = get(&y);
	r[2] = get(&x);
	return arg;
}

static void *cas_0(void *arg)
{
	r[3] = 1;
	swap(&x, 1);
	return arg;
}

static void *cas_1(void *arg)
{
	r[0] = swap(&x, 2) || r[3];
	return arg;
}

static void *sbf_0(void *arg)
{
	set(&x);
	fence();
	r[0] = get(&y);
	return arg;
}

static void *sbf_1(void *arg)
{
	set(&y);
	fence();
	r[1] = get(&x);
	return arg;
}

static void *mpf_0(void *arg)
{
	set(&x);
	fence();
	set(&y);
	return arg;
}

static void *mpf_1(void *arg)
{
	r[0] = get(&y);
	fence();
	r[1] = get(&x);
	return arg;
}

static const char *shape;

static bool is(const char *name)
{
	return !strcmp(shape, name);
}

static void test(void *unused)
{
	if (is("sb"))
		RUN(sb_0, sb_1);
	if (is("sbf"))
		RUN(sbf_0, sbf_1);
	if (is("mp"))
		RUN(mp_0, mp_1);
	if (is("mpf"))
		RUN(mpf_0, mpf_1);
	if (is("lb"))
		RUN(lb_0, lb_1);
	if (is("wrc"))
		RUN(wrc_0, wrc_1, wrc_2);
	if (is("cas"))
		RUN(cas_0, cas_1);
	if (*shape == 's')
		assert(r[0] || r[1]);
	if (*shape == 'm')
		assert(!r[0] || r[1]);
	if (*shape == 'l')
		assert(!r[0] || !r[1]);
	if (*shape == 'w')
		assert(!r[0] || !r[1] || r[2]);
	if (*shape == 'c')
		assert(r[0] == 1);
	(void)unused;
}

/* --- all choices ----------------------------------------------------------------------------- */

#define SITES	6
#define MOST	3000

struct order_file {
	const char *order, *fail; /* fail: "" = is no compare-and-exchange */
	unsigned bits; /* acquire 1, release 2, seq_cst 4; of the failure order the same, times 8 */
};

static const struct order_file loads[] = {
	{"relaxed", "", 0}, {"acquire", "", 1}, {"seq_cst", "", 7}};
static const struct order_file stores[] = {
	{"relaxed", "", 0}, {"release", "", 2}, {"seq_cst", "", 7}};
static const struct order_file fences[] = {{"none", "", 0}, {"acquire", "", 1}, {"release", "", 2},
	{"acq_rel", "", 3}, {"seq_cst", "", 7}};
static const struct order_file exchanges[] = {{"relaxed", "relaxed", 0}, {"acquire", "relaxed", 1},
	{"acquire", "acquire", 9}, {"release", "relaxed", 2}, {"acq_rel", "relaxed", 3},
	{"acq_rel", "acquire", 11}, {"seq_cst", "relaxed", 7}, {"seq_cst", "acquire", 15},
	{"seq_cst", "seq_cst", 63}};

static struct {
	char place[300];
	unsigned long offset;
	const struct order_file *orders;
	unsigned n;
} site[SITES + 2];
static unsigned nsites;

static int by_offset(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)((const char *)a + sizeof site[0].place);
	unsigned long y = *(const unsigned long *)((const char *)b + sizeof site[0].place);

	return (x > y) - (x < y);
}

static bool passes(const char *option)
{
	char text[100];
	struct heddle_options o = {.model = "rc11", .quiet = true, .options = text};

	snprintf(text, sizeof text, "%s,replay-name=choices-all", option);
	return heddle_check(test, NULL, &o, NULL) == 0;
}

static void read_sites(void)
{
	char line[400], kind[16], order[16];
	FILE *f;

	passes("sites=sites.all");
	f = fopen("sites.all", "r");
	while (f && nsites < SITES && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%299s %15s %15s", site[nsites].place, kind, order) != 3 ||
			!strcmp(order, "plain"))
			continue;
		site[nsites].offset = strtoul(strrchr(site[nsites].place, '+') + 1, NULL, 16);
		site[nsites].orders = *kind == 'l' ? loads : *kind == 's' ? stores
				      : *kind == 'f' ? fences : exchanges;
		site[nsites++].n = *kind == 'c' ? 9 : *kind == 'f' ? 5 : 3;
	}
	if (f)
		fclose(f);
	qsort(site, nsites, sizeof *site, by_offset);
}

/* The orders of the c-th combination for each site. */
static void combination(unsigned c, const struct order_file *to[])
{
	for (unsigned i = 0; i < nsites; c /= site[i++].n)
		to[i] = &site[i].orders[c % site[i].n];
}

static bool combination_passes(unsigned c)
{
	const struct order_file *o[SITES];
	FILE *f = fopen("orders.all", "w");

	combination(c, o);
	for (unsigned i = 0; f && i < nsites; i++)
		fprintf(f, "%s order=%s%s%s\n", site[i].place, o[i]->order,
			*o[i]->fail ? " fail=" : "", o[i]->fail);
	return f && !fclose(f) && passes("orders=orders.all");
}

static bool is_within(unsigned a, unsigned b)
{
	const struct order_file *x[SITES], *y[SITES];

	combination(a, x);
	combination(b, y);
	for (unsigned i = 0; i < nsites; i++)
		if (x[i]->bits & ~y[i]->bits)
			return false;
	return true;
}

static void print(unsigned c)
{
	const struct order_file *o[SITES];

	combination(c, o);
	for (unsigned i = 0; i < nsites; i++)
		printf("%s%s%s%s", i ? " " : "", o[i]->order, *o[i]->fail ? "/" : "", o[i]->fail);
	putchar('\n');
}

static void all(void)
{
	static unsigned good[MOST];
	unsigned n = 0, combinations = 1;

	read_sites();
	for (unsigned i = 0; i < nsites; i++)
		combinations *= site[i].n;
	for (unsigned c = 0; c < combinations && n < MOST; c++)
		if (combination_passes(c))
			good[n++] = c;
	for (unsigned i = 0; i < n; i++) {
		bool least = true;

		for (unsigned k = 0; k < n; k++)
			least &= k == i || !is_within(good[k], good[i]);
		if (least)
			print(good[i]);
	}
}

int main(int argc, char **argv)
{
	shape = argc > 1 ? argv[1] : "sb";
	if (argc < 3)
		test(NULL);
	else
		all();
	return 0;
}
