/* SPDX-License-Identifier: ISC */
/*
 * symmetry.c - random programs with threads that do the same, or nearly: what --symmetry leaves
 * out (trust/trust_symmetry.h) makes no difference.
 *
 *     symmetry SEED N MODEL...     SHOW=1: every program; OPTIONS=races=ignore: other options
 *
 * Two or three threads have one function, and atomics, critical sections, waits for a condition,
 * semaphores and blocks of the heap; what they do depends on what they have read. In some programs
 * they are not the same after all: by their arguments, numbers taken from a counter,
 * pthread_self(), addresses, thread locals, by what they return, or by what main does between two
 * creations or joins. Each program is explored without symmetry; then, for some of the results that
 * it has, with symmetry and an assertion that there is no such result, which has to fail; and for
 * one that it has not. TAP.
 */
#include "results.h"
#include "../random.h"

#include <heddle/heddle.h>

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	END,
	LOAD,
	STORE,
	ADD,
	CAS,
	SECTION,
	WAIT,
	POST,
	TAKE, /* while (!plain) wait; plain-- */
	GIVE, /* plain++; signal, or broadcast */
	BLOCK,
	NUMBER,
	LOCAL,
	SELF,
	ADDRESS,
	ID, /* of a thread: it races with pthread_create() */
	KINDS
};

struct item {
	uint8_t kind, which, value;
	int8_t guard; /* only if the thread's digest % 3 is that; -1: always */
};

#define ITEMS 4

static struct program {
	struct item item[2][ITEMS];
	unsigned twins;
	bool other, self, arguments, returns, between_creations, between_joins;
} program;

static atomic_int variable[2], counter;
static int plain, seen[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_t thread[4];
static _Atomic(pthread_t) second; /* of the twins */
static _Thread_local unsigned local;
static unsigned wanted; /* main asserts that there is no such result; 0: it observes them */

/* --- programs run ----------------------------------------------------------------------------- */

static unsigned section(const struct item *i)
{
	unsigned was;

	pthread_mutex_lock(&mutex);
	was = (unsigned)plain;
	if (i->value)
		plain = plain * 2 + i->value;
	pthread_mutex_unlock(&mutex);
	return was;
}

static void take(void)
{
	pthread_mutex_lock(&mutex);
	while (!plain)
		pthread_cond_wait(&changed, &mutex);
	plain--;
	pthread_mutex_unlock(&mutex);
}

static void give(const struct item *i)
{
	pthread_mutex_lock(&mutex);
	plain++;
	if (i->value)
		pthread_cond_signal(&changed);
	else
		pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static unsigned cas(const struct item *i)
{
	int was = i->value;

	atomic_compare_exchange_strong(&variable[i->which], &was, was + 1);
	return (unsigned)was;
}

static unsigned block(const struct item *i)
{
	unsigned *p = malloc(2 * sizeof *p), was;

	p[i->which] = (unsigned)atomic_load(&variable[i->which]);
	was = p[i->which] + 1;
	free(p);
	return was;
}

static unsigned perform(const struct item *i)
{
	memory_order load = i->value ? memory_order_relaxed : memory_order_seq_cst;
	memory_order store = i->value == 1 ? memory_order_relaxed : memory_order_seq_cst;
	char c;

	switch (i->kind) {
	case LOAD: return (unsigned)atomic_load_explicit(&variable[i->which], load);
	case STORE: atomic_store_explicit(&variable[i->which], i->value + 1, store); break;
	case ADD: return (unsigned)atomic_fetch_add(&variable[i->which], i->value + 1);
	case CAS: return cas(i);
	case SECTION: return section(i);
	case WAIT: sem_wait(&semaphore); break;
	case POST: sem_post(&semaphore); break;
	case TAKE: take(); break;
	case GIVE: give(i); break;
	case NUMBER: return (unsigned)atomic_fetch_add(&counter, 1);
	case LOCAL: return local++;
	case BLOCK: return block(i);
	case SELF: return pthread_equal(pthread_self(), atomic_load(&second)) != 0;
	case ADDRESS: return (unsigned)((uintptr_t)&c >> 20) % 3;
	case ID: return thread[i->which] != 0;
	}
	return 0;
}

static void *run(void *arg)
{
	unsigned digest = (unsigned)(uintptr_t)arg & 0xff;
	const struct item *i = program.item[(uintptr_t)arg >> 8];

	for (unsigned n = 0; n < ITEMS && i[n].kind; n++)
		if (i[n].guard < 0 || (int)(digest % 3) == i[n].guard)
			digest = digest * 5 + perform(&i[n]);
	return program.returns ? (void *)(uintptr_t)digest : NULL;
}

static unsigned result_of(unsigned returned)
{
	return 1 + (unsigned)variable[0] + 64 * (unsigned)variable[1] + 4096 * (unsigned)plain +
	       (1u << 20) * (unsigned)(seen[0] + 3 * seen[1]) + (1u << 24) * (returned % 256);
}

static void start(void *unused)
{
	unsigned n = 0, returned = 0, result;
	void *end;

	(void)unused;
	sem_init(&semaphore, 0, 1);
	if (program.other)
		pthread_create(&thread[3], NULL, run, (void *)(uintptr_t)256);
	for (; n < program.twins; n++) {
		if (n == 1 && program.between_creations)
			seen[0] = variable[0];
		pthread_create(&thread[n], NULL, run,
			(void *)(uintptr_t)(program.arguments ? n : 0));
	}
	if (program.self)
		atomic_store(&second, thread[1]);
	for (n = 0; n < program.twins; n++) {
		pthread_join(thread[n], &end);
		returned = returned * 7 + (unsigned)(uintptr_t)end;
		if (!n && program.between_joins)
			seen[1] = variable[1];
	}
	if (program.other)
		pthread_join(thread[3], NULL);
	result = result_of(returned);
	if (wanted)
		assert(result != wanted);
	else
		heddle_observe("result", (long)result);
}

/* --- programs made ---------------------------------------------------------------------------- */

static void make(uint64_t seed)
{
	static const uint8_t usual[] = {LOAD, LOAD, STORE, STORE, ADD, ADD, CAS, SECTION, SECTION,
		POST, WAIT, BLOCK, TAKE, GIVE, GIVE};
	uint64_t r = seed * 77;

	random_mix(&r);
	memset(&program, 0, sizeof program);
	program.twins = 2 + !random_below(&r, 3);
	program.other = program.twins == 2 && random_below(&r, 2);
	program.arguments = !random_below(&r, 12);
	program.returns = !random_below(&r, 10);
	program.between_creations = !random_below(&r, 12);
	program.between_joins = !random_below(&r, 12);
	for (unsigned t = 0; t < 2; t++) {
		unsigned n = 2 + random_below(&r, program.twins == 3 ? 1 : 3);

		for (unsigned k = 0; k < n; k++) {
			struct item *i = &program.item[t][k];

			i->kind = random_below(&r, 8) ? usual[random_below(&r, sizeof usual)]
						      : (uint8_t)(1 + random_below(&r, KINDS - 1));
			program.self |= i->kind == SELF;
			i->which = (uint8_t)random_below(&r, 2);
			i->value = (uint8_t)random_below(&r, 3);
			i->guard = random_below(&r, 3) ? -1 : (int8_t)random_below(&r, 3);
		}
	}
}

static void print(uint64_t seed)
{
	static const char *const names[] = {"end", "load", "store", "add", "cas", "section", "wait",
		"post", "take", "give", "block", "number", "local", "self", "address", "id"};

	printf("# program %llu: %u twins%s%s%s%s\n", (unsigned long long)seed, program.twins,
		program.arguments ? ", arguments" : "", program.returns ? ", returns" : "",
		program.between_creations ? ", between creations" : "",
		program.between_joins ? ", between joins" : "");
	for (unsigned t = 0; t < 1u + program.other; t++)
		for (unsigned k = 0; k < ITEMS && program.item[t][k].kind; k++)
			printf("#   %u: %s %u %u guard %d\n", t, names[program.item[t][k].kind],
				program.item[t][k].which, program.item[t][k].value,
				program.item[t][k].guard);
}

/* --- the comparison --------------------------------------------------------------------------- */

static const char *options = "races=auto";
static unsigned failed, reduced, compared;
static uint64_t all, some;

/* Is there a finding with symmetry? */
static bool fails(const char *model, unsigned result, struct heddle_result *found)
{
	char text[100];
	struct heddle_options o = {.model = model,
		.strategy = "graph",
		.quiet = true,
		.options = text};

	snprintf(text, sizeof text, "symmetry=always,minimise=0,%s", options);
	wanted = result;
	if (heddle_check(start, NULL, &o, found) == 2)
		exit(2);
	wanted = 0;
	return found->findings;
}

static void wrong(uint64_t seed, const char *model, const char *what, unsigned result)
{
	failed++;
	printf("not ok - agree: symmetry: program %llu, %s: %s %u\n", (unsigned long long)seed,
		model, what, result);
	print(seed);
}

static void check(uint64_t seed, const char *model)
{
	static struct results r;
	struct heddle_result found;
	bool others = false; /* findings */
	char text[100];

	make(seed);
	if (getenv("SHOW"))
		print(seed);
	snprintf(text, sizeof text, "symmetry=never,%s", options);
	results_explore(&r, start, model, "graph", text, 20000);
	if (!r.complete)
		return;
	compared++;
	for (unsigned i = 0; i < r.n; i++)
		others |= !strncmp(r.text[i], "finding: ", 9);
	if (fails(model, UINT32_MAX, &found) != others)
		wrong(seed, model, "other findings", 0);
	if (others)
		return;
	all += r.executions;
	some += found.executions + found.blocked;
	reduced += found.executions + found.blocked < r.executions;
	for (unsigned i = 0; i < r.n; i += 1 + r.n / 6) {
		unsigned result = (unsigned)strtoul(strchr(r.text[i], '=') + 1, NULL, 10);

		if (!fails(model, result, &found))
			wrong(seed, model, "it has no result", result);
	}
}

int main(int argc, char **argv)
{
	if (getenv("OPTIONS"))
		options = getenv("OPTIONS");
	results_each(argc, argv, check);
	printf("%s - agree: symmetry: %u programs, %u with fewer executions: %llu of %llu\n",
		failed ? "not ok" : "ok", compared, reduced, (unsigned long long)some,
		(unsigned long long)all);
	return failed != 0;
}
