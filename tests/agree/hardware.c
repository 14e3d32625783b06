/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "files.h"
#include "hardware.h"
#include "hardware_executions.h"

#include <stdio.h>
#include <string.h>

#define CANDIDATES   400000 /* rf and co of a program */
#define FAILURES_MAX 10

const char *const hp_model_names[4] = {"arm8", "power", "riscv", "imm"};

static int only = -1;
static struct hx_set expected[HP_MODELS], cyclic[HP_MODELS], found;
static unsigned long buffering[HP_MODELS];
static struct {
	unsigned long executions[HP_MODELS], buffering[HP_MODELS];
	int failures, scanned, possible, with; /* scans; that say possible; and it is */
} total;

static bool failed(const struct hprogram *p, enum hp_model m, const char *why)
{
	total.failures++;
	printf("not ok - agree: hardware: %s: %s: %s\n", p->name, hp_model_names[m], why);
	hprogram_print(p);
	return false;
}

/* Are these the executions found, each once? `by': by which explorer. */
static bool equals(const struct hprogram *p, enum hp_model m, const struct hx_set *wanted,
	const char *wrong, const char *by)
{
	struct hx one;
	size_t n = found.n, twice = hx_sort(&found);
	char text[160];

	if (wrong)
		return failed(p, m, wrong);
	if (hx_missing(wanted, &found, &one)) {
		snprintf(text, sizeof text, "%s: %zu executions of %zu are missed, for example", by,
			hx_missing(wanted, &found, &one), wanted->n);
	} else if (hx_missing(&found, wanted, &one)) {
		snprintf(text, sizeof text,
			"%s: %zu executions of %zu are not allowed, for example", by,
			hx_missing(&found, wanted, &one), n);
	} else if (twice) {
		snprintf(text, sizeof text, "%s: %zu executions of %zu are found again", by, twice,
			n);
		return failed(p, m, text);
	} else {
		return true;
	}
	failed(p, m, text);
	hx_print(p, &one);
	return false;
}

static struct hx_set both;

static void unite(enum hp_model m)
{
	both.n = 0;
	for (size_t i = 0; i < expected[m].n; i++)
		hx_add(&both, &expected[m].x[i]);
	for (size_t i = 0; i < cyclic[m].n; i++)
		hx_add(&both, &cyclic[m].x[i]);
	hx_sort(&both);
}

static bool agrees(const struct hprogram *p, enum hp_model m, unsigned order)
{
	const char *wrong;
	bool buffers;

	unite(m);
	if (!equals(p, m, &expected[m], hx_explore(p, m, order, &buffers, &found), "trust"))
		return false;
	if (cyclic[m].n && !buffers)
		return failed(p, m, "the scan finds load buffering impossible");
	total.scanned++;
	total.possible += buffers;
	total.with += cyclic[m].n != 0;
	wrong = hx_explore_holes(p, m, order, true, &found);
	return equals(p, m, &both, wrong, "holes") &&
	       (order || equals(p, m, &cyclic[m], hx_explore_holes(p, m, order, false, &found),
				 "load buffering"));
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

	*too_big = !hx_enumerate(p, CANDIDATES, expected, cyclic, buffering);
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

/* The axioms' executions are those of the explorers. */
static bool verdict_holds(const struct hp_row *row, enum hp_model m)
{
	char verdict = 'F';

	for (size_t i = 0; i < expected[m].n; i++)
		if (is_meant(row, &expected[m].x[i]))
			verdict = 'A';
	for (size_t i = 0; i < cyclic[m].n; i++)
		if (is_meant(row, &cyclic[m].x[i]))
			verdict = 'A';
	return row->verdict[m] == '-' || row->verdict[m] == verdict;
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

/* Random programs of which executions with holes were missed, or found twice. */
static void known(void)
{
	static const struct {
		enum hp_mode mode;
		uint64_t seed;
	} programs[] = {
		{HP_FORWARDING, 91125}, /* a pending write that could have its place */
		{HP_FORWARDING, 303136},
		{HP_C11, 200100}, /* the place of an RMW of which the write is missing */
		{HP_UPDATES, 301613},
		{HP_UPDATES, 201124}, /* a cause of that write reads what forbids it */
		{HP_C11, 301702}, /* a CAS fails for the time being */
		{HP_UPDATES, 301277},
	};
	struct hprogram p;
	bool too_big;

	for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
		hprogram_generate(&p, programs[i].mode, programs[i].seed);
		test(&p, &too_big);
	}
	printf("%s - agree: hardware: programs that were explored wrongly\n",
		total.failures ? "not ok" : "ok");
}

/* --- random programs -------------------------------------------------------------------------- */

static void random_programs(enum hp_mode mode, int programs, uint64_t seed, bool show)
{
	static const char *const names[] = {
		"C11", "instructions", "forwarded stores", "read-modify-writes"};
	int skipped = 0, before = total.failures;
	struct hprogram p;
	bool too_big;

	total.scanned = total.possible = total.with = 0;
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
	printf("; possible by %d scans of %d, found %d times\n", total.possible,
		total.scanned, total.with);
}

bool hardware_programs(int programs, uint64_t seed, int model, bool show)
{
	only = model;
	litmus();
	known();
	for (int mode = 0; mode < HP_MODES; mode++)
		random_programs((enum hp_mode)mode, programs, seed, show);
	return !total.failures;
}
