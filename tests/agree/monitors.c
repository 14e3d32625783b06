/* SPDX-License-Identifier: ISC */
/*
 * monitors.c - random programs with mutexes and conditions: the reduction of trust/trust_await.h
 * makes no difference.
 *
 *     monitors SEED N MODEL...     SHOW=1: every program; FULL=n: leave out programs with more
 * executions (20000)
 *
 * Each program is explored twice, the second time with --unreduced. Outcomes and findings have to
 * be the same, except that a program with a race only has to have one. Threads have sections with
 * stores, signals and broadcasts, and sections that await a value; some of them as they should not
 * be: a wait without a loop, after a store, for a limited time, a signal that wakes the wrong one,
 * or none, stores without the mutex, attempts to take it, two conditions, two mutexes, one within
 * the other. TAP.
 */
#include "results.h"
#include "../random.h"

#include <heddle/heddle.h>

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	END,
	LOCK,
	UNLOCK,
	READ,
	WRITE,
	ADD,
	SIGNAL,
	BROADCAST,
	AWAIT,	    /* while (variable < value) wait */
	AWAIT_BOTH, /* while (variable < value || other < 1) */
	AWAIT_ONCE, /* if (variable < value) wait */
	AWAIT_TIMED,
	AWAIT_COUNTED, /* the number of times is observed */
	AWAIT_CHANGE,  /* while (variable == its old value) */
	TRY,
	KINDS
};

struct item {
	uint8_t kind, which, value, condition;
};

#define THREADS 4
#define ITEMS	20

struct program {
	struct item item[THREADS][ITEMS];
	unsigned n;
};

static struct program program;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int variable[3];

/* --- programs run ----------------------------------------------------------------------------- */

static int await_counted(const struct item *i, pthread_mutex_t *m)
{
	int n = 0;

	while (variable[i->which] < i->value) {
		n++;
		pthread_cond_wait(&cond[i->condition], m);
	}
	return n > 1;
}

static int await_timed(const struct item *i, pthread_mutex_t *m)
{
	struct timespec at = {.tv_sec = 0};

	while (variable[i->which] < i->value)
		if (pthread_cond_timedwait(&cond[i->condition], m, &at) == ETIMEDOUT)
			return 1;
	return 0;
}

static int await(const struct item *i, pthread_mutex_t *m)
{
	int was;

	switch (i->kind) {
	case AWAIT:
		while (variable[i->which] < i->value)
			pthread_cond_wait(&cond[i->condition], m);
		break;
	case AWAIT_BOTH:
		while (variable[i->which] < i->value || !variable[2])
			pthread_cond_wait(&cond[i->condition], m);
		break;
	case AWAIT_ONCE:
		if (variable[i->which] < i->value)
			pthread_cond_wait(&cond[i->condition], m);
		break;
	case AWAIT_CHANGE:
		was = variable[i->which];
		while (variable[i->which] == was)
			pthread_cond_wait(&cond[i->condition], m);
		break;
	case AWAIT_TIMED: return await_timed(i, m);
	case AWAIT_COUNTED: return await_counted(i, m);
	}
	return 0;
}

static int run_item(const struct item *i, pthread_mutex_t **held, int seen)
{
	switch (i->kind) {
	case LOCK: pthread_mutex_lock(*held = &mutex[i->which]); break;
	case UNLOCK: pthread_mutex_unlock(&mutex[i->which]); break;
	case READ: return seen * 4 + variable[i->which];
	case WRITE: variable[i->which] = i->value; break;
	case ADD: variable[i->which]++; break;
	case SIGNAL: pthread_cond_signal(&cond[i->condition]); break;
	case BROADCAST: pthread_cond_broadcast(&cond[i->condition]); break;
	case TRY:
		if (pthread_mutex_trylock(&mutex[i->which]))
			return seen * 4 + 3;
		variable[i->which]++;
		pthread_mutex_unlock(&mutex[i->which]);
		break;
	default: return seen * 2 + await(i, *held);
	}
	return seen;
}

static void *thread(void *arg)
{
	struct item own[ITEMS]; /* no part of the execution */
	pthread_mutex_t *held = NULL;
	int seen = 0;

	memcpy(own, arg, sizeof own);
	for (const struct item *i = own; i->kind != END; i++)
		seen = run_item(i, &held, seen);
	return (void *)(intptr_t)seen;
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c", "d"};
	pthread_t id[THREADS];
	void *seen;

	for (unsigned i = 0; i < program.n; i++)
		pthread_create(&id[i], NULL, thread, program.item[i]);
	for (unsigned i = 0; i < program.n; i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	for (unsigned i = 0; i < 3; i++)
		heddle_observe(i == 0 ? "x" : i == 1 ? "y" : "z", variable[i]);
}

/* --- programs made ---------------------------------------------------------------------------- */

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

static bool right; /* the program is correct, except for */
static enum kind weakness;

struct writer {
	struct item *item;
	unsigned n;
};

static void put(
	struct writer *w, enum kind kind, unsigned which, unsigned value, unsigned condition)
{
	if (w->n < ITEMS - 1)
		w->item[w->n++] = (struct item){
			(uint8_t)kind, (uint8_t)which, (uint8_t)value, (uint8_t)condition};
}

static void put_change(struct writer *w)
{
	unsigned v = pick(2);

	if (pick(3))
		put(w, ADD, v, 0, 0);
	else
		put(w, WRITE, pick(3), 1 + pick(2), 0);
}

static void put_wakeup(struct writer *w)
{
	unsigned how = right ? 0 : pick(8);

	if (right && weakness == SIGNAL && pick(2)) {
		put(w, SIGNAL, 0, 0, 0);
		put(w, SIGNAL, 0, 0, 1);
		return;
	}
	if (right)
		put(w, BROADCAST, 0, 0, 1);
	if (how < 4)
		put(w, BROADCAST, 0, 0, pick(6) == 0 && !right);
	else if (how < 7)
		put(w, SIGNAL, 0, 0, pick(6) == 0);
}

static void put_body(struct writer *w)
{
	for (unsigned n = pick(2); n; n--)
		put(w, READ, pick(3), 0, 0);
	put_change(w);
	if (pick(4) == 0)
		put_change(w);
}

static void put_await(struct writer *w)
{
	static const uint8_t kind[] = {AWAIT, AWAIT, AWAIT, AWAIT, AWAIT, AWAIT_BOTH, AWAIT_BOTH,
		AWAIT_ONCE, AWAIT_TIMED, AWAIT_COUNTED, AWAIT_CHANGE};
	unsigned how = kind[pick(right ? 7 : 11)];

	if (right && weakness >= AWAIT_ONCE && weakness <= AWAIT_CHANGE && !pick(3))
		how = weakness;
	put(w, how, pick(2), right ? 1 : 1 + pick(2), pick(5) == 0);
}

static void put_section(struct writer *w, bool awaits)
{
	unsigned m = pick(8) == 0, inner = pick(16);
	bool inside = pick(3);

	if (!inner)
		put(w, LOCK, !m, 0, 0);
	put(w, LOCK, m, 0, 0);
	if (awaits && !pick(16))
		put_change(w);
	if (awaits)
		put_await(w);
	if (!awaits || pick(2))
		put_body(w);
	if (inside)
		put_wakeup(w);
	put(w, UNLOCK, m, 0, 0);
	if (!inner)
		put(w, UNLOCK, !m, 0, 0);
	if (!inside)
		put_wakeup(w);
}

/* At least two that make await() true. */
static void put_adds(struct writer *w)
{
	for (unsigned i = 0; i < 2; i++) {
		put(w, LOCK, 0, 0, 0);
		put(w, ADD, i, 0, 0);
		if (!i)
			put(w, ADD, 2, 0, 0);
		put_wakeup(w);
		put(w, UNLOCK, 0, 0, 0);
	}
}

static void put_thread(struct item *item, bool adds)
{
	struct writer w = {item, 0};

	if (adds) {
		put_adds(&w);
		return;
	}

	for (unsigned n = 1 + pick(2); n; n--) {
		unsigned how = pick(right ? 32 : 20);

		if (how == 0 || (right && weakness == TRY && how < 12))
			put(&w, TRY, pick(2), 0, 0);
		else if (how == 1)
			put_change(&w);
		else if (how == 2)
			put_wakeup(&w);
		else
			put_section(&w, how % 2);
	}
}

static void make(uint64_t seed)
{
	memset(&program, 0, sizeof program);
	state = seed * 0x9e3779b97f4a7c15u;
	right = pick(4) > 0;
	weakness = (enum kind)(SIGNAL + pick(KINDS - SIGNAL));
	program.n = 2 + (pick(3) > 0) + (pick(6) == 0);
	for (unsigned i = 0; i < program.n; i++)
		put_thread(program.item[i], right && !i);
}

static void show(void)
{
	static const char *const name[KINDS] = {"end", "lock", "unlock", "read", "write", "add",
		"signal", "broadcast", "await", "await-both", "await-once", "await-timed",
		"await-counted", "await-change", "try"};

	for (unsigned t = 0; t < program.n; t++) {
		printf("#   %u:", t);
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			printf(" %s(%u,%u,%u)", name[i->kind], i->which, i->value, i->condition);
		printf("\n");
	}
}

/* --- comparison ------------------------------------------------------------------------------- */

static struct results all, some;
static int done, left_out, failures, fewer, found;

static void explore(struct results *r, const char *model, const char *options)
{
	uint64_t most = getenv("FULL") ? strtoul(getenv("FULL"), NULL, 10) : 20000;

	results_explore(r, execute, model, "graph", options, most);
	results_drop_stuck(r);
}

static void check(uint64_t seed, const char *model)
{
	make(seed);
	explore(&all, model, "unreduced");
	if (!all.complete && !all.races) {
		left_out++;
		return;
	}
	explore(&some, model, "");
	done++;
	fewer += some.executions < all.executions;
	found += all.findings > 0;
	failures += !results_compared(
		"monitors", seed, model, results_equal_or_race(&all, &some), &all, &some, show);
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check);
	if (!failures)
		printf("%s - monitors: %d programs, %d left out, %d with findings, %d reduced\n",
			done ? "ok" : "not ok", done, left_out, found, fewer);
	return failures || !done;
}
