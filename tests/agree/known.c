/* SPDX-License-Identifier: ISC */
/*
 * known.c - random programs whose threads wait for each other, with few preemptions or delays:
 * executions that lead to a known state end (prove/known.h), and nothing is lost.
 *
 *     known SEED N MODEL...     seed 0: a program that needs happens-before in its states
 *
 * Semaphores, sections of a mutex, conditions, and plain accesses in and outside of sections, many
 * of which race, but only after some orders of the waits. Under sc, outcomes and findings have to
 * be those of a search in which each plain access is a step, and nothing is known again: if a race
 * is missed, there are too few steps. With delays the steps are the same, as delays are counted by
 * them. Without a model races are findings, the same with and without known states. TAP.
 */
#include "results.h"
#include "../random.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* IF_SENT: TWICE, if the flag is set. SEND 1: without an order. */
enum kind { END, WAIT, POST, PASS, ADD, AWAIT, STORE, TWICE, IF_SENT, SEND, RECEIVE,
	KINDS };

#define THREADS 4
#define ITEMS	12 /* with the END */
#define ITEMS_MADE 6
#define MOST	30000

struct item {
	uint8_t kind, which;
};

static struct program {
	struct item item[THREADS][ITEMS];
	unsigned n;
} program;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t sem[2];
static int plain[2] __attribute__((aligned(16)));
static int guarded;
static atomic_int flag;

static struct results full, known;
static int done, compared, left_out, fewer, failures;

/* --- programs run ----------------------------------------------------------------------------- */

/* The order of such steps is in the result. */
static void add(int n)
{
	pthread_mutex_lock(&mutex);
	if (n) {
		guarded = guarded * 3 + n;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&mutex);
}

static void await(void)
{
	pthread_mutex_lock(&mutex);
	while (!guarded)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
}

/* Two different values: another thread has run in between. */
static int twice(volatile int *dummy, const int *at)
{
	int first = *at, second;

	*dummy = first;
	__asm__ volatile("" ::: "memory");
	second = *at;
	return first != second;
}

static int run_item(struct item i, int number)
{
	int dummy;

	switch (i.kind) {
	case WAIT: sem_wait(&sem[i.which]); break;
	case POST: sem_post(&sem[i.which]); break;
	case PASS: add(0); break;
	case ADD: add(number); break;
	case AWAIT: await(); break;
	case STORE: plain[i.which] = number; break;
	case TWICE: return twice(&dummy, &plain[i.which]);
	case IF_SENT:
		if (!atomic_load_explicit(&flag, memory_order_relaxed))
			return 0;
		return twice(&dummy, &plain[i.which]);
	case SEND:
		atomic_store_explicit(
			&flag, 1, i.which ? memory_order_relaxed : memory_order_release);
		break;
	case RECEIVE: atomic_load_explicit(&flag, memory_order_acquire); break;
	}
	return 0;
}

static void *thread(void *arg)
{
	struct item own[ITEMS]; /* no part of the execution */
	int seen = 0, number = 1 + (int)((struct item(*)[ITEMS])arg - program.item);

	memcpy(own, arg, sizeof own);
	for (const struct item *i = own; i->kind != END; i++)
		seen = seen * 2 + run_item(*i, number);
	return (void *)(intptr_t)seen;
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c", "d"};
	pthread_t id[THREADS];
	void *seen;

	sem_init(&sem[0], 0, 0);
	sem_init(&sem[1], 0, 0);
	for (unsigned i = 0; i < program.n; i++)
		pthread_create(&id[i], NULL, thread, program.item[i]);
	for (unsigned i = 0; i < program.n; i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	heddle_observe("x", plain[0] * 8 + plain[1]);
	heddle_observe("z", guarded);
}

/* --- programs made ---------------------------------------------------------------------------- */

/* The last thread does all that others may wait for. */
static void end_waits(void)
{
	struct item *last = program.item[program.n - 1];

	*last++ = (struct item){ADD, 0};
	for (unsigned t = 0; t + 1 < program.n; t++)
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			if (i->kind == WAIT)
				*last++ = (struct item){POST, i->which};
}

static void program_make(uint64_t seed)
{
	static const uint8_t kinds[] = {WAIT, WAIT, POST, POST, PASS, PASS, ADD, AWAIT, STORE,
		STORE, TWICE, IF_SENT, IF_SENT, SEND, RECEIVE};
	uint64_t state = seed * 7919;

	memset(&program, 0, sizeof program);
	program.n = 3 + random_below(&state, THREADS - 2);
	for (unsigned t = 0; t + 1 < program.n; t++) {
		unsigned n = 2 + random_below(&state, ITEMS_MADE - program.n);

		for (unsigned i = 0; i < n; i++) {
			program.item[t][i].kind = kinds[random_below(&state, sizeof kinds)];
			program.item[t][i].which = random_below(&state, 4) == 0;
		}
	}
	end_waits();
}

/* The two accesses to plain[0] are ordered if T1 passes before T2 does. In both orders T1 has ended
 * and T2 waits, and only then the second one is made. (T4: two threads could run at the end of T1.)
 * Without happens-before in states, the race is missed. */
static const struct program ordered_by_chance = {
	.item = {{{STORE, 0}, {PASS, 0}, {SEND, 1}, {POST, 1}},
		{{PASS, 0}, {WAIT, 0}, {IF_SENT, 0}}, {{POST, 0}}, {{WAIT, 1}}},
	.n = 4,
};

static void program_show(void)
{
	static const char *const names[KINDS] = {"", "wait", "post", "pass", "add", "await",
		"store", "twice", "if_sent", "send", "receive"};

	for (unsigned t = 0; t < program.n; t++) {
		printf("#   T%u:", t + 1);
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			printf(" %s(%u)", names[i->kind], i->which);
		printf("\n");
	}
}

/* --- comparisons ------------------------------------------------------------------------------ */

static void explore(struct results *r, const char *model, const char *bound, const char *how)
{
	char options[120];

	snprintf(options, sizeof options, "%s,%s", bound, how);
	results_explore(r, execute, model, "dfs", options, MOST);
	results_drop_stuck(r);
}

/* how: the search without known states. */
static void compare(uint64_t seed, const char *model, const char *bound, const char *how)
{
	explore(&full, model, bound, how);
	if (full.executions >= MOST) {
		left_out++;
		return;
	}
	explore(&known, model, bound, "private=always,known-traces=always");
	fewer += known.executions < full.executions;
	if (!full.complete) /* what the bound leaves out may have been known */
		known.complete = false;
	compared++;
	failures += !results_compared("known", seed, bound, results_equal(&full, &known), &full,
		&known, program_show);
}

static void check(uint64_t seed, const char *model)
{
	static const char *const bounds[] = {
		"preemptions=0", "preemptions=1", "preemptions=2", "delays=1", "delays=2"};
	static const char steps[] = "private=never,known-traces=never",
			  private[] = "private=always,known-traces=never";

	if (seed)
		program_make(seed);
	else
		program = ordered_by_chance;
	done++;
	for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		compare(seed, model, bounds[i], bounds[i][0] == 'd' ? private : steps);
		compare(seed, NULL, bounds[i], private);
	}
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check);
	if (!failures)
		printf("%s - known: %d programs; %d comparisons, %d left out, %d with fewer "
		       "executions\n",
			done && fewer ? "ok" : "not ok", done, compared, left_out, fewer);
	return failures || !done || !fewer;
}
