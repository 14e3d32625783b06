/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "hardware.h"
#include "hardware_executions.h"

#include <stdio.h>
#include <string.h>

#define CANDIDATES   400000 /* rf and co of a program */
#define FAILURES_MAX 10

const char *const hp_model_names[4] = {"arm8", "power", "riscv", "imm"};

static int only = -1;
static struct hx_set expected[HP_MODELS], found;
static unsigned long buffering[HP_MODELS];
static struct {
	unsigned long executions[HP_MODELS], buffering[HP_MODELS];
	int failures;
} total;

static bool failed(const struct hprogram *p, enum hp_model m, const char *why)
{
	total.failures++;
	printf("not ok - agree: hardware: %s: %s: %s\n", p->name, hp_model_names[m], why);
	hprogram_print(p);
	return false;
}

static bool agrees(const struct hprogram *p, enum hp_model m, unsigned order)
{
	struct hx one;
	const char *wrong = hx_explore(p, m, order, &found);
	size_t n = found.n, twice = hx_sort(&found);
	char text[120];

	if (wrong)
		return failed(p, m, wrong);
	if (hx_missing(&expected[m], &found, &one)) {
		snprintf(text, sizeof text, "%zu executions of %zu are missed, for example",
			hx_missing(&expected[m], &found, &one), expected[m].n);
	} else if (hx_missing(&found, &expected[m], &one)) {
		snprintf(text, sizeof text, "%zu executions of %zu are not allowed, for example",
			hx_missing(&found, &expected[m], &one), n);
	} else if (twice) {
		snprintf(text, sizeof text, "%zu executions of %zu are found again", twice, n);
		return failed(p, m, text);
	} else {
		return true;
	}
	failed(p, m, text);
	hx_print(p, &one);
	return false;
}

/* No random walk may make a forbidden execution. */
static bool samples_agree(const struct hprogram *p, enum hp_model m)
{
	struct hx one;
	const char *wrong = hx_sample(p, m, 12, &found);

	hx_sort(&found);
	if (!wrong && hx_missing(&found, &expected[m], &one))
		wrong = "a random execution is not allowed";
	return !wrong || failed(p, m, wrong);
}

/* True unless the explorer disagrees. */
static bool test(const struct hprogram *p, bool *too_big)
{
	bool good = true;

	*too_big = !hx_enumerate(p, CANDIDATES, expected, buffering);
	for (int m = 0; m < HP_MODELS && !*too_big; m++) {
		if (only >= 0 && m != only)
			continue;
		total.executions[m] += expected[m].n;
		total.buffering[m] += buffering[m];
		for (unsigned order = 0; order < 3 && good; order++)
			good = agrees(p, (enum hp_model)m, order);
		good = good && samples_agree(p, (enum hp_model)m);
	}
	return good;
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_meant(const struct hp_row *row, const struct hx *x)
{
	for (int t = 0; t < row->program.nthreads; t++)
		for (int i = 0; i < HP_EVENTS; i++)
			if (x->reads[t][i] && x->value[t][i] != row->value[t][i])
				return false;
	for (int l = 0; l < HP_PLACES; l++)
		if (row->final[l] >= 0 && x->final[l] != row->final[l])
			return false;
	return true;
}

/* Load buffering is not explored, so such an allowed execution does not appear. */
static bool verdict_holds(const struct hp_row *row, enum hp_model m)
{
	char verdict = 'F';

	for (size_t i = 0; i < expected[m].n; i++)
		if (is_meant(row, &expected[m].x[i]))
			verdict = 'A';
	if (row->verdict[m] == '-' || row->verdict[m] == verdict)
		return true;
	return row->buffers_loads && row->verdict[m] == 'A' && verdict == 'F' && buffering[m];
}

static void litmus(void)
{
	struct hp_row row;
	int n = 0, verdicts = 0, before = total.failures;
	bool too_big;

	for (; hprogram_row(n, &row); n++) {
		test(&row.program, &too_big);
		for (int m = 0; m < HP_MODELS; m++) {
			verdicts += row.verdict[m] != '-' && (m == only || only < 0);
			if (!too_big && (m == only || only < 0) && !verdict_holds(&row, m))
				failed(&row.program, m, "the verdict is another one");
		}
	}
	printf("%s - agree: hardware: %d litmus tests, %d verdicts\n",
		total.failures > before ? "not ok" : "ok", n, verdicts);
}

/* --- random programs -------------------------------------------------------------------------- */

static void random_programs(enum hp_mode mode, int programs, uint64_t seed, bool show)
{
	static const char *const names[] = {
		"C11", "instructions", "forwarded stores", "read-modify-writes"};
	int skipped = 0, before = total.failures;
	struct hprogram p;
	bool too_big;

	memset(total.executions, 0, sizeof total.executions);
	memset(total.buffering, 0, sizeof total.buffering);
	for (int i = 0; i < programs && total.failures < FAILURES_MAX; i++) {
		hprogram_generate(&p, mode, seed + (uint64_t)i);
		if (show)
			hprogram_print(&p);
		test(&p, &too_big);
		skipped += too_big;
	}
	total.failures += skipped > programs / 5;
	printf("%s - agree: hardware: %d programs (%s) of seed %llu and on, %d too big; executions",
		total.failures > before ? "not ok" : "ok", programs, names[mode],
		(unsigned long long)seed, skipped);
	for (int m = 0; m < HP_MODELS; m++)
		printf(" %s %lu (and %lu with load buffering)", hp_model_names[m],
			total.executions[m], total.buffering[m]);
	printf("\n");
}

bool hardware_programs(int programs, uint64_t seed, int model, bool show)
{
	only = model;
	litmus();
	for (int mode = 0; mode < HP_MODES; mode++)
		random_programs((enum hp_mode)mode, programs, seed, show);
	return !total.failures;
}
