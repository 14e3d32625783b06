/* SPDX-License-Identifier: ISC */
/*
 * regions.c - random programs whose threads share arrays: regions (graph/region.h) make
 * no difference.
 *
 *     regions SEED N MODEL...     SHOW=1: every program; OPTIONS=...: of both explorations;
 *                                 REGIONS=N: of the second (1)
 *
 * Each program is explored twice: with each access an event, and with regions as early as possible.
 * Numbers of executions, outcomes and kinds of findings have to be the same. The first failure that
 * is found with regions is explored first again, so of a race there may be one more pair of
 * accesses among the findings. Threads fill, add, move, copy and sum up parts of arrays, among
 * which there are atomic variables: with a mutex held, behind a flag, in their own part, or as they
 * should not; and hand over blocks of the heap. TAP.
 */
#include "results.h"

#include "../random.h"

#include <heddle/heddle.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	END,
	LOCK,
	UNLOCK,
	SUM,
	FILL,
	ADD,
	MOVE,
	COPY,
	COUNT,
	RELEASE,
	ACQUIRE,
	GIVE,
	TAKE,
	KINDS
};

struct item {
	uint8_t kind, area, from, n, value;
};

#define THREADS 3
#define ITEMS	16
#define CELLS	20

struct area {
	int a[10];
	atomic_int n;
	int b[6];
	atomic_int flag;
	int c[4];
	char tail[3];
};

struct program {
	struct item item[THREADS][ITEMS];
	unsigned n;
};

static struct program program;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct area global, *heap, *slot;

/* --- programs run ----------------------------------------------------------------------------- */

static int *cell(struct area *a, unsigned i)
{
	return i < 10 ? &a->a[i] : i < 16 ? &a->b[i - 10] : &a->c[i - 16];
}

static int sum(struct area *a, unsigned from, unsigned n)
{
	int s = 0;

	for (unsigned i = from; i < from + n; i++)
		s = s * 2 + *cell(a, i);
	return s + a->tail[from % 3];
}

static void fill(struct area *a, const struct item *i)
{
	for (unsigned k = i->from; k < i->from + i->n; k++)
		*cell(a, k) = i->kind == ADD ? *cell(a, k) + i->value : (int)(i->value + k % 2);
}

static void give(const struct item *i)
{
	struct area *a = calloc(1, sizeof *a), *old;

	fill(a, i);
	pthread_mutex_lock(&mutex);
	old = slot;
	slot = a;
	pthread_mutex_unlock(&mutex);
	free(old);
}

static int take(const struct item *i)
{
	struct area *a;
	int s = 0;

	pthread_mutex_lock(&mutex);
	a = slot;
	slot = NULL;
	pthread_mutex_unlock(&mutex);
	if (a) {
		fill(a, i);
		s = sum(a, 0, CELLS);
	}
	free(a);
	return s;
}

static int run_item(const struct item *i, int seen)
{
	struct area *a = i->area ? heap : &global, *b = i->area ? &global : heap;

	switch (i->kind) {
	case LOCK: pthread_mutex_lock(&mutex); break;
	case UNLOCK: pthread_mutex_unlock(&mutex); break;
	case SUM: return seen * 3 + sum(a, i->from, i->n);
	case FILL:
	case ADD: fill(a, i); break;
	case MOVE:
		memmove(&a->a[i->value], &a->a[i->from % 5], sizeof a->a[0] * (i->n % 4 + 1));
		break;
	case COPY:
		memcpy(&a->a[i->from % 5], &b->a[i->value], sizeof a->a[0] * (i->n % 5 + 1));
		break;
	case COUNT: return seen * 2 + atomic_fetch_add_explicit(&a->n, 1, memory_order_relaxed);
	case RELEASE: atomic_store_explicit(&a->flag, 1, memory_order_release); break;
	case ACQUIRE:
		if (atomic_load_explicit(&a->flag, memory_order_acquire))
			return seen * 3 + sum(a, i->from, i->n);
		break;
	case GIVE: give(i); break;
	case TAKE: return seen * 2 + take(i);
	}
	return seen;
}

static void *thread(void *arg)
{
	struct item own[ITEMS]; /* no part of the execution */
	int seen = 0;

	memcpy(own, arg, sizeof own);
	for (const struct item *i = own; i->kind != END; i++)
		seen = run_item(i, seen);
	return (void *)(intptr_t)seen;
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c"};
	pthread_t id[THREADS];
	void *seen;

	heap = calloc(1, sizeof *heap);
	for (unsigned i = 0; i < program.n; i++)
		pthread_create(&id[i], NULL, thread, program.item[i]);
	for (unsigned i = 0; i < program.n; i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	heddle_observe("x", sum(&global, 0, CELLS));
	heddle_observe("y", sum(heap, 0, CELLS));
	free(heap);
	free(slot);
}

/* --- programs made ---------------------------------------------------------------------------- */

static uint64_t state;

static unsigned pick(unsigned n)
{
	return random_below(&state, n);
}

struct writer {
	struct item *item;
	unsigned n;
};

static void put(struct writer *w, enum kind kind, unsigned area, unsigned from, unsigned n)
{
	if (w->n < ITEMS - 1)
		w->item[w->n++] = (struct item){
			(uint8_t)kind, (uint8_t)area, (uint8_t)from, (uint8_t)n, (uint8_t)pick(4)};
}

/* Accesses of some of the cells from..from + n. */
static void put_work(struct writer *w, unsigned area, unsigned from, unsigned n)
{
	static const uint8_t kind[] = {SUM, SUM, FILL, ADD, ADD};
	unsigned first = pick(3) ? 0 : pick(n), left = n - first;

	put(w, kind[pick(5)], area, from + first, pick(3) ? left : 1 + pick(left));
}

static void put_section(struct writer *w)
{
	unsigned area = pick(2);

	put(w, LOCK, 0, 0, 0);
	for (unsigned n = 1 + pick(2); n; n--) {
		if (!pick(6))
			put(w, MOVE + pick(2), area, pick(5), pick(5));
		else
			put_work(w, pick(5) ? area : !area, 0, CELLS);
	}
	put(w, UNLOCK, 0, 0, 0);
}

/* own: threads have parts of their own, and take no mutex for these. */
static void put_thread(struct item *item, unsigned t, bool own, bool right)
{
	struct writer w = {item, 0};

	for (unsigned n = 1 + pick(2); n; n--) {
		unsigned how = pick(10);

		if (!right && !pick(4))
			put_work(&w, pick(2), 0, CELLS);
		else if (how < 2)
			put(&w, GIVE + pick(2), 0, 0, CELLS);
		else if (how == 2)
			put(&w, COUNT, pick(2), 0, 0);
		else if (own)
			put_work(&w, how % 2, t * 6, 6);
		else
			put_section(&w);
	}
}

/* Behind a flag. */
static void put_message(unsigned from)
{
	struct writer first = {program.item[0], 0}, second = {program.item[1], 0};
	unsigned area = pick(2);

	while (first.item[first.n].kind != END)
		first.n++;
	while (second.item[second.n].kind != END)
		second.n++;
	put_work(&first, area, from, 4);
	put(&first, RELEASE, area, 0, 0);
	put(&second, ACQUIRE, area, from, 4);
}

static void make(uint64_t seed)
{
	bool right, own;

	memset(&program, 0, sizeof program);
	state = seed * 0x9e3779b97f4a7c15u;
	right = pick(5) > 0;
	own = pick(3) == 0;
	program.n = 2 + pick(2);
	for (unsigned i = 0; i < program.n; i++)
		put_thread(program.item[i], i, own, right);
	if (own && program.n == 2)
		put_message(12);
}

static void show(void)
{
	static const char *const name[KINDS] = {"end", "lock", "unlock", "sum", "fill", "add",
		"move", "copy", "count", "release", "acquire", "give", "take"};

	for (unsigned t = 0; t < program.n; t++) {
		printf("#   %u:", t);
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			printf(" %s(%u,%u,%u,%u)", name[i->kind], i->area, i->from, i->n, i->value);
		printf("\n");
	}
}

/* --- comparison ------------------------------------------------------------------------------- */

#define MOST 5000 /* executions */

static struct results all, some;
static int done, left_out, failures, found;

static void explore(struct results *r, const char *model, const char *regions)
{
	const char *more = getenv("OPTIONS");
	char options[120];

	snprintf(options, sizeof options, "regions=%s%s%s", regions, more ? "," : "",
		more ? more : "");
	results_explore(r, execute, model, "graph", options, MOST);
}

static bool agree(void)
{
	return some.findings >= all.findings && some.executions == all.executions &&
	       some.blocked == all.blocked && results_equal(&some, &all);
}

static void check(uint64_t seed, const char *model)
{
	make(seed);
	explore(&all, model, "0");
	if (all.executions - all.blocked >= MOST) {
		left_out++;
		return;
	}
	explore(&some, model, getenv("REGIONS") ? getenv("REGIONS") : "1");
	done++;
	found += all.findings > 0;
	failures += !results_compared("regions", seed, model, agree(), &all, &some, show);
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check);
	if (!failures)
		printf("%s - regions: %d programs, %d left out, %d with findings\n",
			done ? "ok" : "not ok", done, left_out, found);
	return failures || !done;
}
