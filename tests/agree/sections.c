/* SPDX-License-Identifier: ISC */
/*
 * sections.c - random programs with objects of all kinds: the explorer of graphs, with its
 * reductions and without, against plain search.
 *
 *     sections SEED N MODEL...
 *
 * Sections of two mutexes that are locked, tried, or locked for a time, with conditions; beside
 * them atomic accesses, semaphores, one-time initialisation, a barrier. No program has a race.
 * Outcomes and findings have to be the same for graphs, graphs with --unreduced, those by
 * reads-from, and under sc, tso and pso for RF-SMC and plain search (--strategy dfs). TAP.
 */
#include "results.h"
#include "sections_program.h"

#include <heddle/heddle.h>

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_once_t flag = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;
static int variable[2]; /* each with its mutex */
static int initialised;
static atomic_int atomic[2];

static const memory_order orders[] = {memory_order_relaxed, memory_order_seq_cst};

/* --- programs run ----------------------------------------------------------------------------- */

static struct timespec in(int seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return t;
}

static int await(struct item i)
{
	struct timespec at;

	switch (i.kind) {
	case AWAIT:
		while (variable[i.which] < i.value)
			pthread_cond_wait(&cond[i.which], &mutex[i.which]);
		break;
	case AWAIT_ONCE:
		if (variable[i.which] < i.value)
			pthread_cond_wait(&cond[i.which], &mutex[i.which]);
		break;
	case AWAIT_TIMED:
		at = in(1);
		while (variable[i.which] < i.value)
			if (pthread_cond_timedwait(&cond[i.which], &mutex[i.which], &at))
				return 1;
	}
	return 0;
}

static int take(struct item i)
{
	struct timespec at;

	switch (i.kind) {
	case LOCK: return pthread_mutex_lock(&mutex[i.which]);
	case TRYLOCK: return pthread_mutex_trylock(&mutex[i.which]);
	case TIMEDLOCK: at = in(1); return pthread_mutex_timedlock(&mutex[i.which], &at);
	default: at = in(-1); return pthread_mutex_timedlock(&mutex[i.which], &at);
	}
}

static int access_atomic(struct item i)
{
	int old = 0;

	switch (i.kind) {
	case LOAD: return atomic_load_explicit(&atomic[i.which], orders[i.order]);
	case STORE: atomic_store_explicit(&atomic[i.which], i.value, orders[i.order]); return 0;
	default:
		atomic_compare_exchange_strong_explicit(
			&atomic[i.which], &old, i.value, orders[i.order], orders[i.order]);
		return old;
	}
}

static int use_semaphore(struct item i)
{
	struct timespec at;

	switch (i.kind) {
	case SEM_WAIT: return sem_wait(&sem);
	case SEM_TRYWAIT: return !!sem_trywait(&sem);
	case SEM_TIMEDWAIT: at = in(1); return !!sem_timedwait(&sem, &at);
	default: return sem_post(&sem);
	}
}

static void initialise(void)
{
	initialised++;
}

static int run_item(struct item i, unsigned *skip)
{
	switch (i.kind) {
	case LOCK:
	case TRYLOCK:
	case TIMEDLOCK:
	case LATELOCK:
		if (!take(i))
			return 0;
		*skip = i.value;
		return 1;
	case UNLOCK: return pthread_mutex_unlock(&mutex[i.which]);
	case READ: return variable[i.which];
	case ADD: variable[i.which]++; return 0;
	case SIGNAL: return pthread_cond_signal(&cond[i.which]);
	case BROADCAST: return pthread_cond_broadcast(&cond[i.which]);
	case AWAIT:
	case AWAIT_ONCE:
	case AWAIT_TIMED: return await(i);
	case LOAD:
	case STORE:
	case CAS: return access_atomic(i);
	case SEM_WAIT:
	case SEM_TRYWAIT:
	case SEM_TIMEDWAIT:
	case SEM_POST: return use_semaphore(i);
	case ONCE: pthread_once(&flag, initialise); return initialised;
	default: return pthread_barrier_wait(&barrier) ? 1 : 0;
	}
}

static bool early; /* threads look at their program when they begin, not before each step */

static void *thread(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg, skip = 0;
	struct item item[ITEMS];
	int seen = 0;

	for (unsigned n = 0; early && n < ITEMS; n++)
		item[n] = program_item(me, n);
	for (unsigned n = 0;; n += 1 + skip) {
		struct item i = early ? item[n] : program_item(me, n);

		skip = 0;
		if (i.kind == END)
			return (void *)(intptr_t)seen;
		seen = seen * 3 + run_item(i, &skip);
	}
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c", "d"};
	pthread_t id[THREADS];
	void *seen;

	if (program_meeting())
		pthread_barrier_init(&barrier, NULL, program_meeting());
	sem_init(&sem, 0, program_posts());
	for (unsigned i = 0; i < program_threads(); i++)
		pthread_create(&id[i], NULL, thread, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < program_threads(); i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	heddle_observe("x", variable[0]);
	heddle_observe("y", variable[1]);
	heddle_observe("p", atomic[0]);
	heddle_observe("z", atomic[1]);
}

/* --- comparison ------------------------------------------------------------------------------- */

static struct results graphs, other;
static int done, left_out, failures, compared, found, fewer;

#define MOST 20000 /* executions */

static void explore(struct results *r, const char *model, const char *strategy, const char *options)
{
	results_explore(r, execute, model, strategy, options, MOST);
	results_drop_stuck(r);
}

static void compare_results(
	uint64_t seed, const char *model, const char *strategy, const char *options)
{
	compared++;
	if (results_equal(&graphs, &other))
		return;
	failures++;
	printf("not ok - sections: %llu under %s: %llu graphs, %llu executions by %s %s\n",
		(unsigned long long)seed, model, (unsigned long long)graphs.executions,
		(unsigned long long)other.executions, strategy, options);
	program_show();
	results_print(&graphs, &other);
	fflush(stdout);
}

static void check(uint64_t seed, const char *model, const char *strategy, const char *options)
{
	explore(&other, model, strategy, options);
	if (other.complete)
		compare_results(seed, model, strategy, options);
	else
		left_out++;
}

/* With few preemptions, or delays: executions that begin like others end (--known-traces). */
static void check_bounded(uint64_t seed)
{
	static const char *const bounds[] = {
		"preemptions=0", "preemptions=1", "preemptions=2", "delays=1", "delays=2"};
	const char *bound = bounds[seed % (sizeof bounds / sizeof *bounds)];
	char how[60], known[100];

	early = true;
	snprintf(how, sizeof how, "%s,private=always", bound);
	explore(&graphs, "sc", "dfs", how);
	if (graphs.executions < MOST) {
		snprintf(known, sizeof known, "%s,known-traces=always", how);
		explore(&other, "sc", "dfs", known);
		fewer += other.executions < graphs.executions;
		if (!graphs.complete) /* what the bound leaves out may have been known */
			other.complete = false;
		compare_results(seed, "sc", "dfs", known);
	}
	early = false;
}

static void check_all(uint64_t seed, const char *model)
{
	bool buffers = !strcmp(model, "sc") || !strcmp(model, "tso") || !strcmp(model, "pso");

	program_make(seed);
	explore(&graphs, model, "graph", "");
	if (!graphs.complete) {
		left_out++;
		return;
	}
	done++;
	found += graphs.findings > 0;
	check(seed, model, "graph", "unreduced");
	if (buffers || !strcmp(model, "rc11"))
		check(seed, model, "graph", "equivalence=rf");
	if (buffers)
		check(seed, model, "rf", "");
	if (buffers)
		check(seed, model, "dfs", "");
	if (!strcmp(model, "sc"))
		check_bounded(seed);
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check_all);
	if (!failures)
		printf("%s - sections: %d programs, %d with findings; %d comparisons, %d left "
		       "out, %d with known traces\n",
			done && fewer ? "ok" : "not ok", done, found, compared, left_out, fewer);
	return failures || !done || !fewer;
}
