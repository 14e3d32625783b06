/* SPDX-License-Identifier: ISC */
/*
 * agree.c - hundreds of random programs: outcomes of dfs, random and pct against plain search.
 *
 *     agree [PROGRAMS [FIRST SEED]]
 *
 * For each program and each of SC, TSO and PSO: dfs must find exactly the outcomes of plain search
 * (program.c, another representation of the buffers) in exactly as many executions; random must
 * find the same outcomes with enough samples, and random and pct no others.
 *
 * Half of the programs wait for values in loops: there the spin detector must neither miss an
 * outcome, nor report a thread as stuck that is not, nor miss one that is. (A waiting thread may
 * read more than once, so executions are not counted.) TAP.
 */
#include "program.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int variable[LOCATIONS];
static struct outcomes *seen, *expected;

static int rmw(struct op o)
{
	int expect = o.value - 1;

	switch (o.kind) {
	case OP_ADD: return atomic_fetch_add(&variable[o.location], o.value);
	case OP_XCHG: return atomic_exchange(&variable[o.location], o.value);
	default:
		atomic_compare_exchange_strong(&variable[o.location], &expect, o.value);
		return expect;
	}
}

static void store(struct op o)
{
	atomic_int *v = &variable[o.location];

	switch (o.order) {
	case 0: atomic_store_explicit(v, o.value, memory_order_relaxed); break;
	case 3: atomic_store_explicit(v, o.value, memory_order_release); break;
	default: atomic_store(v, o.value);
	}
}

static void await(struct op o)
{
	for (;;) {
		if (atomic_load_explicit(&variable[o.location], memory_order_relaxed) == o.value)
			return;
		if (o.kind == OP_AWAIT_ANY && atomic_load_explicit(&variable[OTHER(o.location)],
						      memory_order_relaxed) == o.value)
			return;
	}
}

static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg, n = program_length(me);
	struct op ops[OPS];
	uint64_t reads = 0;

	/* Now, while the buffer is empty: a call of code without Heddle waits for it. */
	for (int i = 0; i < n; i++)
		ops[i] = program_op(me, i);
	for (int i = 0; i < n; i++) {
		struct op o = ops[i];

		if (o.kind == OP_STORE)
			store(o);
		else if (o.kind == OP_FENCE)
			atomic_thread_fence((memory_order)o.order);
		else if (o.kind == OP_AWAIT || o.kind == OP_AWAIT_ANY)
			await(o);
		else if (o.kind == OP_LOAD)
			reads = reads << 4 |
				(atomic_load_explicit(&variable[o.location], memory_order_relaxed) &
					15);
		else
			reads = reads << 4 | (unsigned)(rmw(o) & 15);
	}
	return (void *)(uintptr_t)reads;
}

static void execute(void *unused)
{
	pthread_t a, b, c;
	void *r[THREADS] = {0};
	uint64_t reads[THREADS], memory = 0;
	int n = program_threads();

	(void)unused;
	pthread_create(&a, NULL, worker, (void *)0);
	pthread_create(&b, NULL, worker, (void *)1);
	if (n == 3)
		pthread_create(&c, NULL, worker, (void *)2);
	pthread_join(a, &r[0]);
	pthread_join(b, &r[1]);
	if (n == 3)
		pthread_join(c, &r[2]);
	for (int i = 0; i < THREADS; i++)
		reads[i] = (uintptr_t)r[i];
	for (int i = 0; i < LOCATIONS; i++)
		memory = memory << 8 | (unsigned)variable[i];
	outcomes_add(seen, reads, memory);
}

static int failures, tests;

static void check(bool ok, uint64_t seed, const char *model, const char *strategy, const char *what)
{
	tests++;
	if (ok)
		return;
	failures++;
	printf("not ok - agree: seed %llu, %s: %s %s (%llu executions, %u outcomes; plain search "
	       "%llu, %u)\n",
		(unsigned long long)seed, model, strategy, what,
		(unsigned long long)seen->executions, seen->n,
		(unsigned long long)expected->executions, expected->n);
	program_print();
}

static struct heddle_result explore(const char *model, const char *options)
{
	outcomes_clear(seen);
	return outcomes_explore(execute, model, options);
}

/* So few executions that ten thousand samples find all outcomes, with any seed. */
#define FEW 60

#define RARELY 5 /* one in so many programs is sampled in all ways */

static void compare(uint64_t seed, enum model_kind m)
{
	static const char *const names[] = {"sc", "tso", "pso"};
	static const char *const samplers[] = {"random", "pos", "surw"};
	struct heddle_result r;
	char text[120];

	if (!program_search(m, 4000, expected))
		return;
	r = explore(names[m], "strategy=dfs,detect=-livelock,executions=50000");
	if (program.waits && !r.complete && r.executions + r.blocked >= 50000)
		return;
	check(r.complete && !r.findings, seed, names[m], "dfs", "is not complete");
	if (!program.waits)
		check(r.executions == expected->executions, seed, names[m], "dfs",
			"counts otherwise");
	check((r.blocked > 0) == expected->stuck, seed, names[m], "dfs", "is stuck otherwise");
	check(outcomes_subset(seen, 0, expected, 0), seed, names[m], "dfs", "sees what cannot be");
	check(outcomes_subset(expected, 0, seen, 0), seed, names[m], "dfs", "misses an outcome");
	snprintf(text, sizeof text, "strategy=pct,detect=-livelock,seed=%llu,executions=200",
		(unsigned long long)seed);
	explore(names[m], text);
	check(outcomes_subset(seen, 0, expected, 0), seed, names[m], "pct", "sees what cannot be");
	for (unsigned i = 0; i < sizeof samplers / sizeof *samplers; i++) {
		const char *s = samplers[i];

		if (i && seed % RARELY)
			break;
		snprintf(text, sizeof text,
			"strategy=%s,detect=-livelock,seed=%llu,executions=%llu", s,
			(unsigned long long)seed,
			expected->executions < FEW ? 10000ull
			: i			   ? 100ull
						   : 1000ull);
		explore(names[m], text);
		check(outcomes_subset(seen, 0, expected, 0), seed, names[m], s,
			"sees what cannot be");
		if (expected->executions < FEW)
			check(outcomes_subset(expected, 0, seen, 0), seed, names[m], s,
				"misses an outcome");
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 300;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	seen = outcomes_pair();
	expected = seen + 1;
	for (int i = 0; i < n; i++) {
		program_generate(first + (uint64_t)i, i % 2);
		for (enum model_kind m = SC; m < MODELS; m++)
			compare(first + (uint64_t)i, m);
	}
	if (!failures)
		printf("%s - agree: %d comparisons of %d programs\n", tests ? "ok" : "not ok",
			tests, n);
	return failures || !tests;
}
