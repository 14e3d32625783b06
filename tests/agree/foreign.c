/* SPDX-License-Identifier: ISC */
/*
 * foreign.c - random programs whose threads call code that is not instrumented: functions of the C
 * library that read and write the program's memory, and a small library with state of its own.
 *
 *     foreign SEED N MODEL...     SHOW=1: every program
 *
 * The graphs of each program are compared with those of the same program whose library is
 * instrumented, and under sc with plain search. Where a search is complete, it has to have all
 * outcomes; else none that the other does not have. Threads work with a mutex held, and access
 * atomic variables without. TAP.
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
#include <time.h>

#define NAME(x) inside_##x
#include "foreign_library.h"
#undef NAME
#undef AGREE_FOREIGN_LIBRARY_H
#define NAME(x) outside_##x
#define node	outside_node
#include "foreign_library.h"
#undef node

enum kind {
	PRINT,
	PARSE,
	SCAN,
	NUMBER,
	COPY,
	LETTER,
	COPIED,
	SORT,
	SET,
	GET,
	DATE,
	DAY,
	NEXT,
	PUSH,
	TOP,
	LOOK_UP,
	ADD,
	STORE,
	LOAD,
	KINDS
};

#define THREADS 3
#define ITEMS	3

static uint64_t seed;
static unsigned nthreads;
static bool outside;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[16], copied[16], *end;
static int number, array[3], cell;
static time_t now;
static struct tm date;
static struct node *head;
static atomic_int x, y;
static void *(*volatile copy)(void *to, const void *from, size_t n) = memcpy;

/* --- programs run ----------------------------------------------------------------------------- */

/* Of thread t; no part of the execution. */
static unsigned pick(unsigned t, unsigned i, unsigned which, unsigned n)
{
	uint64_t state = seed * 1000 + t * 100 + i * 10 + which;

	return (unsigned)(random_mix(&state) >> 20) % n;
}

static enum kind kind_of(unsigned t, unsigned i)
{
	/* The first numbers decide what the threads have in common. */
	unsigned theme = pick(9, 0, 0, 5), k = pick(t, i, 0, KINDS);
	static const uint8_t themes[4][6] = {{PRINT, PARSE, SCAN, NUMBER, COPY, LETTER},
		{COPY, COPIED, LETTER, PRINT, SORT, GET}, {DATE, DAY, SORT, SET, GET, STORE},
		{NEXT, PUSH, TOP, LOOK_UP, ADD, LOAD}};

	return theme == 4 ? k : themes[theme][k % 6];
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void push(int n)
{
	struct node *e = malloc(sizeof *e);

	e->value = n;
	if (outside)
		outside_push((struct outside_node **)&head, (struct outside_node *)e);
	else
		inside_push(&head, e);
}

static int sum(void)
{
	int s = 0;

	for (const struct node *e = head; e; e = e->next)
		s = s * 5 + e->value;
	return s;
}

/* With the mutex held. */
static int run_item(enum kind kind, int n)
{
	switch (kind) {
	case PRINT: snprintf(text, sizeof text, "%d", n + 1); break;
	case PARSE: return (int)strtol(text, &end, 10) + (int)(end - text);
	case SCAN: sscanf(text, "%d", &number); break;
	case NUMBER: return number;
	case COPY: copy(copied, text, sizeof copied); break;
	case LETTER: text[0] = (char)('1' + n); break;
	case COPIED: return copied[0];
	case SORT: qsort(array, 3, sizeof array[0], compare); break;
	case SET: array[n] = 3 - n; break;
	case GET: return array[n];
	case DATE: now += 86400; gmtime_r(&now, &date); break;
	case DAY: return date.tm_mday;
	case NEXT: return outside ? outside_next() : inside_next();
	case PUSH: push(n + 1); break;
	case TOP: return sum();
	case LOOK_UP: return outside ? outside_look_up(n, n + 4) : inside_look_up(n, n + 4);
	default: break;
	}
	return 0;
}

static int run_alone(enum kind kind, int n)
{
	switch (kind) {
	case ADD: return outside ? outside_add(&cell, n) : inside_add(&cell, n);
	case STORE: atomic_store_explicit(n & 1 ? &x : &y, n + 1, memory_order_relaxed); break;
	case LOAD: return atomic_load_explicit(n & 1 ? &x : &y, memory_order_relaxed);
	default: break;
	}
	return 0;
}

static void *thread(void *arg)
{
	unsigned t = (unsigned)(uintptr_t)arg;
	int seen = 0, got;

	for (unsigned i = 0; i < ITEMS; i++) {
		enum kind kind = kind_of(t, i);
		int n = (int)pick(t, i, 1, 3);

		if (kind >= ADD) {
			got = run_alone(kind, n);
		} else {
			pthread_mutex_lock(&mutex);
			got = run_item(kind, n);
			pthread_mutex_unlock(&mutex);
		}
		seen = seen * 31 + got;
	}
	return (void *)(intptr_t)seen;
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c"};
	pthread_t id[THREADS];
	void *seen;

	for (unsigned i = 0; i < nthreads; i++)
		pthread_create(&id[i], NULL, thread, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < nthreads; i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	heddle_observe("text", copied[0] * 100 + text[0]);
	heddle_observe("numbers", number * 1000 + cell * 40 + date.tm_mday);
	heddle_observe("array", (array[0] * 10 + array[1]) * 10 + array[2] + sum() * 1000);
	for (struct node *e; (e = head);) {
		head = e->next;
		free(e);
	}
}

/* --- programs compared ------------------------------------------------------------------------ */

static void show(void)
{
	static const char *const name[] = {"print", "parse", "scan", "number", "copy", "letter",
		"copied", "sort", "set", "get", "date", "day", "next", "push", "top", "look-up",
		"add", "store", "load"};

	for (unsigned t = 0; t < nthreads; t++)
		for (unsigned i = 0; i < ITEMS; i++)
			printf("# T%u %s %u\n", t, name[kind_of(t, i)], pick(t, i, 1, 3));
}

static bool has(const struct results *a, const char *text_of)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!strcmp(a->text[i], text_of))
			return true;
	return false;
}

static bool includes(const struct results *a, const struct results *b)
{
	for (unsigned i = 0; i < b->n; i++)
		if (!has(a, b->text[i]))
			return false;
	return true;
}

/* a: what there is to find. */
static bool agrees(const struct results *a, const struct results *b)
{
	return a->findings == b->findings && includes(a, b) && (!b->complete || includes(b, a));
}

static unsigned complete, all;

static void compare_with(const struct results *right, const char *model, const char *strategy)
{
	static struct results r;
	bool good;

	results_explore(&r, execute, model, strategy, "detect=none", 4000);
	good = agrees(right, &r);
	all++;
	complete += r.complete;
	printf("%s - foreign %llu, %s, %s%s\n", good ? "ok" : "not ok", (unsigned long long)seed,
		model, strategy, r.complete ? "" : " (not complete)");
	if (!good)
		results_print(right, &r);
}

static void check(uint64_t number_of, const char *model)
{
	static struct results right;

	seed = number_of;
	nthreads = 2 + !pick(9, 1, 0, 4);
	if (getenv("SHOW"))
		show();
	outside = false;
	results_explore(&right, execute, model, "graph", "detect=none", 20000);
	if (!right.complete)
		printf("# foreign %llu, %s: the reference is not complete\n",
			(unsigned long long)seed, model);
	if (!strcmp(model, "sc") && nthreads == 2)
		compare_with(&right, model, "dfs");
	outside = true;
	compare_with(&right, model, "graph");
	if (!strcmp(model, "sc") && nthreads == 2)
		compare_with(&right, model, "dfs");
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check);
	printf("# %u of %u complete\n", complete, all);
	return 0;
}
