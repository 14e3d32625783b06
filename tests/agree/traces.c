/* SPDX-License-Identifier: ISC */
/*
 * traces.c - random programs with locks: --strategy traces against the explorer of graphs without
 * reductions.
 *
 *     traces SEED N MODEL...     SHOW=1: every program; FULL=n: leave out programs with more
 * executions (20000)
 *
 * Sections of two mutexes, some of them within another; between them seq_cst atomics, semaphores
 * and choices; conditions; blocks of the heap that one thread allocates and others use and free. A
 * variable outside of sections is passed on by a flag of a section, which is right, or by nothing
 * but the order of two sections, which is a race. Outcomes and findings have to be the same, except
 * that a program with a race only has to have one. TAP.
 */
#include "results.h"

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
	LOCK,
	UNLOCK,
	READ,
	WRITE,
	ADD,
	AT_MOST,   /* assert(variable <= value) */
	RAISE,	   /* flag = 1 */
	PASS_ON,   /* loose = value, before RAISE */
	GET,	   /* if (flag was seen) read loose */
	LOOK,	   /* does it see flag? */
	GET_WRONG, /* read loose */
	MAKE,	   /* if (!block) block = malloc() */
	FREE,	   /* free(block), block = NULL */
	USE,	   /* if (block) (*block)++ */
	USE_LATE,  /* the block seen last in the section */
	SIGNAL,
	BROADCAST,
	AWAIT, /* while (variable < value) wait */
	LOAD,
	STORE,
	FETCH_ADD,
	CAS,
	COUNT, /* the same, without looking at the result */
	GET_COUNTED, /* if (the count is at least value) read loose */
	SEM_WAIT,
	SEM_POST,
	CHOOSE,
	KINDS
};

struct item {
	uint8_t kind, which, value;
};

#define OUTCOMES  1000 /* fewer than are counted */
#define THREADS	  4
#define ITEMS	  24
#define VARIABLES 4 /* of mutex i / 2 */

static struct {
	struct item item[THREADS][ITEMS];
	unsigned n, posts;
} program;

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t sem;
static int variable[VARIABLES], flag, loose;
static int *block;
static atomic_int atomic[2];

/* --- programs run ----------------------------------------------------------------------------- */

struct self {
	int flag, *block;
};

static int use_block(struct item i, struct self *me)
{
	switch (i.kind) {
	case MAKE:
		if (block)
			return 0;
		block = malloc(sizeof *block);
		*block = i.value;
		return 0;
	case FREE:
		free(block);
		block = NULL;
		return 0;
	case USE:
		me->block = block;
		return block ? ++*block : 0;
	default: return me->block ? *me->block : 0;
	}
}

static int run_atomic(struct item i)
{
	int old = 0;

	switch (i.kind) {
	case LOAD: return atomic_load(&atomic[i.which % 2]);
	case STORE: atomic_store(&atomic[i.which % 2], i.value); return 0;
	case FETCH_ADD: return atomic_fetch_add(&atomic[i.which % 2], i.value);
	case COUNT: atomic_fetch_sub(&atomic[i.which % 2], -i.value); return 0;
	case GET_COUNTED: return atomic_load(&atomic[i.which % 2]) >= i.value ? loose : 0;
	default: atomic_compare_exchange_strong(&atomic[i.which % 2], &old, i.value); return old;
	}
}

static int run_item(struct item i, struct self *me)
{
	switch (i.kind) {
	case LOCK: return pthread_mutex_lock(&mutex[i.which]);
	case UNLOCK: return pthread_mutex_unlock(&mutex[i.which]);
	case READ: return variable[i.which];
	case WRITE: variable[i.which] = i.value; return 0;
	case ADD: variable[i.which] += i.value; return 0;
	case AT_MOST: assert(variable[i.which] <= i.value); return 0;
	case RAISE: flag = 1; return 0;
	case PASS_ON: loose = i.value; return 0;
	case LOOK: me->flag = flag; return 0;
	case GET: return me->flag ? loose : 0;
	case GET_WRONG: return loose;
	case MAKE:
	case FREE:
	case USE:
	case USE_LATE: return use_block(i, me);
	case SIGNAL: return pthread_cond_signal(&cond[i.which / 2]);
	case BROADCAST: return pthread_cond_broadcast(&cond[i.which / 2]);
	case AWAIT:
		while (variable[i.which] < i.value)
			pthread_cond_wait(&cond[i.which / 2], &mutex[i.which / 2]);
		return 0;
	case SEM_WAIT: return sem_wait(&sem);
	case SEM_POST: return sem_post(&sem);
	case CHOOSE: return heddle_choose(2);
	default: return run_atomic(i);
	}
}

static void *thread(void *arg)
{
	unsigned t = (unsigned)(uintptr_t)arg;
	struct self me = {0, NULL};
	int seen = 0;

	for (unsigned n = 0; program.item[t][n].kind != END; n++)
		seen = seen * 3 + run_item(program.item[t][n], &me);
	return (void *)(intptr_t)seen;
}

static void execute(void *arg __attribute__((unused)))
{
	static const char *const name[] = {"a", "b", "c", "d"};
	pthread_t id[THREADS];
	void *seen;

	sem_init(&sem, 0, program.posts);
	for (unsigned i = 0; i < program.n; i++)
		pthread_create(&id[i], NULL, thread, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < program.n; i++) {
		pthread_join(id[i], &seen);
		heddle_observe(name[i], (intptr_t)seen);
	}
	free(block);
	block = NULL;
	heddle_observe("x", variable[0] * 100 + variable[1]);
	heddle_observe("y", variable[2] * 100 + variable[3]);
	heddle_observe("z", atomic[0] * 100 + atomic[1]);
}

/* --- programs made ---------------------------------------------------------------------------- */

static uint64_t state;

static unsigned pick(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((state >> 33) % n);
}

static struct {
	bool conditions, semaphores, atomics, heap, passes, nests, wrong;
} has;

struct writer {
	struct item *item;
	unsigned n;
};

static void put(struct writer *w, enum kind kind, unsigned which, unsigned value)
{
	if (w->n < ITEMS - 1)
		w->item[w->n++] = (struct item){(uint8_t)kind, (uint8_t)which, (uint8_t)value};
}

static void put_special(struct writer *w, unsigned m)
{
	static const uint8_t heap[] = {MAKE, MAKE, FREE, USE, USE};

	if (has.heap && !m && pick(2))
		put(w, heap[pick(5)], 0, 1);
	else if (has.conditions && pick(2))
		put(w, pick(3) ? SIGNAL : BROADCAST, 2 * m, 0);
	else if (has.conditions && pick(2))
		put(w, AWAIT, 2 * m + pick(2), 1);
	else if (has.atomics && pick(2))
		put(w, pick(3) ? LOAD + pick(4) : COUNT, pick(2), 1 + pick(2));
	else if (has.semaphores && pick(2))
		put(w, SEM_POST, 0, 0);
	else if (has.wrong && !pick(3))
		put(w, AT_MOST, 2 * m + pick(2), 1 + pick(2));
}

static void put_section(struct writer *w, unsigned m, bool inner)
{
	static const uint8_t data[] = {READ, READ, WRITE, ADD, ADD};

	put(w, LOCK, m, 0);
	for (unsigned n = 1 + pick(3); n; n--) {
		if (pick(3))
			put(w, data[pick(5)], 2 * m + pick(2), 1);
		else
			put_special(w, m);
	}
	if (has.nests && !inner && !pick(4))
		put_section(w, !m, true);
	put(w, UNLOCK, m, 0);
	if (has.heap && has.wrong && !m && !pick(4))
		put(w, USE_LATE, 0, 0);
}

/* The loose variable is passed on: rightly; or this thread reads it after a section that proves
 * nothing. */
static void put_passing(struct writer *w, bool passes)
{
	if (has.atomics && pick(2)) {
		if (passes)
			put(w, PASS_ON, 0, 1 + pick(2));
		put(w, passes || (has.wrong && pick(2)) ? COUNT : GET_COUNTED, 0, 1 + pick(2));
		if (!passes && w->item[w->n - 1].kind == COUNT)
			put(w, GET_WRONG, 0, 0);
		return;
	}
	if (passes) {
		put(w, PASS_ON, 0, 1 + pick(2));
		put(w, LOCK, 0, 0);
		if (has.wrong && pick(2))
			put(w, WRITE, 0, 1);
		else
			put(w, RAISE, 0, 0);
		put(w, UNLOCK, 0, 0);
		return;
	}
	put(w, LOCK, 0, 0);
	put(w, has.wrong && pick(2) ? READ : LOOK, 1, 0);
	put(w, UNLOCK, 0, 0);
	put(w, has.wrong && pick(2) ? GET_WRONG : GET, 0, 0);
}

static void put_thread(struct item *item, unsigned t)
{
	struct writer w = {item, 0};

	for (unsigned n = 1 + pick(program.n == 2 ? 5 : 4); n; n--) {
		unsigned how = pick(10);

		if (how < 3 && has.passes)
			put_passing(&w, !t);
		else if (how == 2 && has.atomics)
			put(&w, pick(2) ? LOAD + pick(4) : COUNT, pick(2), 1 + pick(2));
		else if (how == 3 && has.semaphores)
			put(&w, pick(2) ? SEM_WAIT : SEM_POST, 0, 0);
		else if (how == 4 && has.conditions)
			put(&w, pick(2) ? SIGNAL : BROADCAST, 2 * pick(2), 0);
		else if (how == 5 && !pick(4))
			put(&w, CHOOSE, 0, 0);
		else if (how == 6 && has.wrong && !pick(4))
			put(&w, pick(2) ? READ : WRITE, pick(VARIABLES), 1);
		else
			put_section(&w, !pick(3), false);
	}
}

static void make(uint64_t seed)
{
	memset(&program, 0, sizeof program);
	state = seed * 0x9e3779b97f4a7c15u;
	has.conditions = !pick(3);
	has.semaphores = !pick(3);
	has.atomics = !pick(3);
	has.heap = !pick(3);
	has.passes = !pick(2);
	has.nests = !pick(4);
	has.wrong = !pick(3);
	program.posts = pick(2);
	program.n = 2 + (pick(4) > 0) + !pick(4);
	for (unsigned i = 0; i < program.n; i++)
		put_thread(program.item[i], i);
}

static void show(void)
{
	static const char *const name[KINDS] = {"end", "lock", "unlock", "read", "write", "add",
		"at-most", "raise", "pass-on", "get", "look", "get-wrong", "make", "free", "use",
		"use-late", "signal", "broadcast", "await", "load", "store", "fetch-add", "cas",
		"count", "get-counted",
		"sem-wait", "sem-post", "choose"};

	for (unsigned t = 0; t < program.n; t++) {
		printf("#   %u:", t);
		for (const struct item *i = program.item[t]; i->kind != END; i++)
			printf(" %s(%u,%u)", name[i->kind], i->which, i->value);
		printf("\n");
	}
	printf("#   semaphore %u\n", program.posts);
}

/* --- comparison ------------------------------------------------------------------------------- */

static struct results all, some;
static int done, left_out, failures, fewer, found;

static void check(uint64_t seed, const char *model)
{
	uint64_t most = getenv("FULL") ? strtoul(getenv("FULL"), NULL, 10) : 20000;

	make(seed);
	results_explore(&all, execute, model, "graph", "unreduced", most);
	if ((!all.complete && !all.races) || all.n > OUTCOMES) {
		left_out++;
		return;
	}
	results_explore(&some, execute, model, "traces", "", most);
	done++;
	fewer += some.executions < all.executions;
	found += all.findings > 0;
	failures += !results_compared(
		"traces", seed, model, results_equal_or_race(&all, &some), &all, &some, show);
}

int main(int argc, char **argv)
{
	results_each(argc, argv, check);
	if (!failures)
		printf("%s - traces: %d programs, %d left out, %d with findings, %d with fewer "
		       "traces than graphs\n",
			fewer > done / 8 ? "ok" : "not ok", done, left_out, found, fewer);
	return failures || fewer <= done / 8;
}
