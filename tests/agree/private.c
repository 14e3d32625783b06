/* SPDX-License-Identifier: ISC */
/*
 * private.c - ordered plain memory as private (buffers/private.h): the same outcomes?
 *
 *     private [PROGRAMS [FIRST SEED]]
 *
 * Random programs with a lock, atomics of all orders and plain data, racing or not, under SC, TSO
 * and PSO: dfs with --private always has exactly the outcomes of dfs with --private never, where
 * each plain access is a step; not counting executions from before it knew all the races. random
 * and pct have no others. The same, under SC, with few preemptions and with few delays, and
 * there with --known-traces always. TAP.
 */
#include "private_program.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	signed char plain[2]; /* in one granule, with */
	atomic_schar near;
	int far;
	atomic_int atom;
} shared;

static struct {
	signed char from[6], to[6];
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct outcomes *full, *less;
static struct outcomes *seen;

static int atomic(struct op o)
{
	signed char small = 0;
	int large = 0;

	if (o.location)
		switch (o.kind) {
		case OP_LOAD: return atomic_load_explicit(&shared.atom, memory_order_acquire);
		case OP_ADD: return atomic_fetch_add(&shared.atom, o.value);
		default:
			atomic_compare_exchange_strong(&shared.atom, &large, o.value);
			return large;
		}
	switch (o.kind) {
	case OP_LOAD:
		return o.order ? atomic_load_explicit(&shared.near, memory_order_acquire)
			       : atomic_load_explicit(&shared.near, memory_order_relaxed);
	case OP_ADD:
		return o.order < 3 ? atomic_fetch_add_explicit(&shared.near, (signed char)o.value,
					     memory_order_relaxed)
				   : atomic_fetch_add_explicit(&shared.near, (signed char)o.value,
					     memory_order_acq_rel);
	default:
		atomic_compare_exchange_strong(&shared.near, &small, (signed char)o.value);
		return small;
	}
}

static void store(struct op o)
{
	if (o.location) {
		if (o.order == 0)
			atomic_store_explicit(&shared.atom, o.value, memory_order_relaxed);
		else
			atomic_store_explicit(&shared.atom, o.value, memory_order_release);
	} else {
		if (o.order == 0)
			atomic_store_explicit(
				&shared.near, (signed char)o.value, memory_order_relaxed);
		else if (o.order == 3)
			atomic_store_explicit(
				&shared.near, (signed char)o.value, memory_order_release);
		else
			atomic_store(&shared.near, (signed char)o.value);
	}
}

static void write_plain(struct op o)
{
	if (o.location == 2)
		shared.far = o.value;
	else
		shared.plain[o.location] = (signed char)o.value;
}

static int read_plain(struct op o)
{
	return o.location == 2 ? shared.far : shared.plain[o.location];
}

static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg, n = program_length(me);
	struct op ops[OPS + 1];
	uint64_t reads = 0;

	/* Now, while the buffer is empty: a call of code without Heddle waits for it. */
	for (int i = 0; i < n; i++)
		ops[i] = program_op(me, i);
	for (int i = 0; i < n; i++) {
		struct op o = ops[i];

		switch (o.kind) {
		case OP_LOCK: pthread_mutex_lock(&lock); break;
		case OP_UNLOCK: pthread_mutex_unlock(&lock); break;
		case OP_WRITE: write_plain(o); break;
		case OP_READ: reads = reads << 4 | (read_plain(o) & 15); break;
		case OP_STORE: store(o); break;
		case OP_FENCE: atomic_thread_fence((memory_order)o.order); break;
		case OP_COPY:
			block.from[o.value] = (signed char)o.value;
			memcpy(block.to, block.from, sizeof block.to);
			break;
		default: reads = reads << 4 | (atomic(o) & 15);
		}
	}
	return (void *)(uintptr_t)reads;
}

static void execute(void *unused)
{
	pthread_t t[THREADS];
	uint64_t reads[THREADS] = {0}, memory;
	void *r;
	int n = program_threads();

	(void)unused;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++) {
		pthread_join(t[i], &r);
		reads[i] = (uintptr_t)r;
	}
	memory = (uint64_t)(shared.plain[0] & 15) | (uint64_t)(shared.plain[1] & 15) << 4 |
		 (uint64_t)(shared.near & 15) << 8 | (uint64_t)(shared.far & 15) << 12 |
		 (uint64_t)(shared.atom & 15) << 16;
	for (int i = 1; i < 4; i++)
		memory = memory << 4 | (uint64_t)block.to[i];
	outcomes_add(seen, reads, memory);
}

static int failures, tests, fewer;

static void check(bool ok, uint64_t seed, const char *model, const char *what)
{
	tests++;
	if (ok)
		return;
	failures++;
	printf("not ok - private: seed %llu, %s: %s (%u outcomes, %u)\n", (unsigned long long)seed,
		model, what, seen->n, full->n);
	program_print();
}

static struct heddle_result explore(struct outcomes *to, const char *model, const char *options)
{
	seen = to;
	outcomes_clear(seen);
	return outcomes_explore(execute, model, options);
}

#define MOST 6000 /* executions */

/* Of dfs with these bounds; false: of too many executions. how: other options of the second one. */
static bool same_outcomes(uint64_t seed, const char *model, const char *bounds, const char *how,
	uint64_t *skipped)
{
	struct heddle_result all, r;
	bool bounded = *bounds;
	char text[120];

	snprintf(text, sizeof text, "detect=none,strategy=dfs,private=never%s,executions=%d",
		bounds, MOST);
	all = explore(full, model, text);
	if (bounded ? all.executions + all.blocked >= MOST : !all.complete)
		return false;
	snprintf(text, sizeof text,
		"detect=none,strategy=dfs%s%s,executions=100000", bounds, how);
	r = explore(less, model, text);
	check((bounded || r.complete) && !r.findings, seed, model, "dfs is not complete");
	fewer += r.executions < all.executions;
	/* A first run, and two may have been repeated. */
	*skipped = less->executions - r.executions;
	*skipped = *skipped > 3 ? *skipped : 0;
	check(outcomes_subset(full, 0, less, *skipped), seed, model, "an outcome is missing");
	check(outcomes_subset(less, *skipped, full, 0), seed, model, "an outcome that cannot be");
	return true;
}

static void compare(uint64_t seed, const char *model)
{
	uint64_t skipped;
	char text[100];

	if (!same_outcomes(seed, model, "", ",private=always", &skipped))
		return;
	snprintf(text, sizeof text,
		"detect=none,strategy=%s,private=always,executions=60,seed=%llu",
		seed % 2 ? "random" : "pct", (unsigned long long)seed);
	if (skipped) /* executions with races do not count, but add outcomes */
		return;
	explore(less, model, text);
	check(outcomes_subset(less, 0, full, 0), seed, model, "a sample that cannot be");
}

int main(int argc, char **argv)
{
	static const char *const how[] = {",private=always", ",private=always,known-traces=always",
		",private=never,known-traces=always"};
	static const char *const bounds[] = {
		",preemptions=0", ",preemptions=1", ",preemptions=2", ",delays=1", ",delays=2"};
	uint64_t skipped;
	int n = argc > 1 ? atoi(argv[1]) : 300;
	uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	full = outcomes_pair();
	less = full + 1;
	for (int i = 0; i < n; i++) {
		program_generate(first + (uint64_t)i);
		compare(first + (uint64_t)i, "sc");
		compare(first + (uint64_t)i, "tso");
		compare(first + (uint64_t)i, "pso");
		for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
			same_outcomes(first + (uint64_t)i, "sc", bounds[b],
				how[((size_t)i + b) % 3], &skipped);
	}
	if (!failures)
		printf("%s - private: %d comparisons of %d programs, %d with fewer executions\n",
			tests && fewer ? "ok" : "not ok", tests, n, fewer);
	return failures || !tests || !fewer;
}
