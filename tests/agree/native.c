/* SPDX-License-Identifier: ISC */
/*
 * native.c - random programs with synchronisation objects as native ones: explorers against each
 * other and against the axioms.
 *
 *     native [PROGRAMS [FIRST SEED]]        SHOW=1: print the programs
 *
 * The programs are those of graph_program.h (objects, threads, await, locks). The outcomes of
 * --strategy graph, under each model, are those that the axioms allow; likewise those of
 * reads-from equivalence, of rf and of a complete dfs; dfs, random, pct and pctwm find no others.
 * Each program is run in one of several ways, by its seed: threads are joined, or detached and
 * counted; exit() by main or by another thread, atexit(); the last operation in a destructor of
 * thread-specific data; recursive and error-checking mutexes, relocked; loops that yield, or count
 * and back off; time-outs by either clock. TAP.
 */
#include "native_given.h"

#include <heddle/heddle.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

enum question { Q_FINISH, Q_DETACH, Q_TSD, Q_LOOP, Q_CLOCK, Q_ONCE, Q_TYPE, Q_CREATE };
enum { BY_JOIN, BY_SEMAPHORE, BY_ATEXIT, BY_THREAD, FINISHES };
enum { NORMAL, RECURSIVE, ERRORCHECK, TYPES };

struct worker {
	int me, n, at;
	uint8_t reg[GP_OPS];
	uint64_t op[GP_OPS][2];
};

static struct object {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	sem_t sem;
	pthread_once_t once;
	once_flag flag;
	int type;
	bool robust;
} objects[GP_MUTEXES];

static int memory[GP_MEMORY];
static uint8_t learned[GP_THREADS][GP_OPS];
static pthread_barrier_t meeting;
static sem_t done;
static pthread_key_t key;
static pthread_t threads[GP_THREADS];
static unsigned finish, loop, wall_clock;
static _Thread_local struct worker *self;

static int run(struct worker *w, int end);

/* --- objects ---------------------------------------------------------------------------------- */

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec++;
	return t;
}

/* As of an attempt: taken, not, ... */
static int of_mutex(int error)
{
	heddle_assert(!error || error == EBUSY || error == ETIMEDOUT || error == EOWNERDEAD ||
		      error == ENOTRECOVERABLE);
	return !error			? 1
	       : error == EOWNERDEAD	? GP_OWNER_DIED
	       : error == ENOTRECOVERABLE ? GP_NOT_RECOVERABLE
					  : 0;
}

static int lock(struct object *b, const struct gp_op *o)
{
	clockid_t clock = wall_clock ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	struct timespec t;
	int got;

	if (o->kind == GP_LOCK) {
		got = of_mutex(pthread_mutex_lock(&b->mutex));
	} else if (o->timed) {
		t = soon(clock);
		got = of_mutex(pthread_mutex_clocklock(&b->mutex, clock, &t));
	} else {
		got = of_mutex(pthread_mutex_trylock(&b->mutex));
	}
	if (got && b->type == RECURSIVE)
		heddle_assert(!pthread_mutex_trylock(&b->mutex));
	if (got && b->type == ERRORCHECK)
		heddle_assert(pthread_mutex_lock(&b->mutex) == EDEADLK);
	return got;
}

/* reg: of the lock, if it is robust. */
static void unlock(struct object *b, const struct gp_op *o, int reg)
{
	if (b->robust && reg == GP_OWNER_DIED && !o->value)
		heddle_assert(!pthread_mutex_consistent(&b->mutex));
	if (b->type == RECURSIVE)
		heddle_assert(!pthread_mutex_unlock(&b->mutex));
	heddle_assert(!pthread_mutex_unlock(&b->mutex));
}

static int lock_shared(struct object *b, const struct gp_op *o)
{
	clockid_t clock = wall_clock ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	bool reads = o->kind == GP_RDLOCK || o->kind == GP_TRYRDLOCK;
	struct timespec t;

	if (o->kind == GP_RDLOCK || o->kind == GP_WRLOCK)
		return !(reads ? pthread_rwlock_rdlock(&b->rwlock)
			       : pthread_rwlock_wrlock(&b->rwlock));
	if (!o->timed)
		return !(reads ? pthread_rwlock_tryrdlock(&b->rwlock)
			       : pthread_rwlock_trywrlock(&b->rwlock));
	t = soon(clock);
	return !(reads ? pthread_rwlock_clockrdlock(&b->rwlock, clock, &t)
		       : pthread_rwlock_clockwrlock(&b->rwlock, clock, &t));
}

static int take(struct object *b, const struct gp_op *o)
{
	clockid_t clock = wall_clock ? CLOCK_REALTIME : CLOCK_MONOTONIC;
	struct timespec t;

	if (!o->timed)
		return !sem_trywait(&b->sem);
	t = soon(clock);
	return !sem_clockwait(&b->sem, clock, &t);
}

static int value_of(struct object *b)
{
	int value;

	heddle_assert(!sem_getvalue(&b->sem, &value));
	return value;
}

/* The operations that the flag guards, up to its GP_ONCE_DONE. */
static void initialise(void)
{
	struct worker *w = self;
	struct gp_op o;

	w->reg[w->at++] = 1;
	do {
		memcpy(&o, w->op[w->at], sizeof o);
		w->at = o.kind == GP_ONCE_DONE ? w->at : run(w, w->at + 1);
	} while (o.kind != GP_ONCE_DONE);
	w->reg[w->at] = 1;
}

static int once(struct object *b, struct worker *w)
{
	int begun = w->at;

	if (given_style(Q_ONCE, 2))
		call_once(&b->flag, initialise);
	else
		heddle_assert(!pthread_once(&b->once, initialise));
	return w->at > begun;
}

static void begin_mutex(struct object *b, bool robust)
{
	static const int types[] = {
		PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
	pthread_mutexattr_t a;

	b->robust = robust;
	b->type = robust ? NORMAL : (int)given_style(Q_TYPE, TYPES);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, types[b->type]);
	if (robust)
		pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&b->mutex, &a);
	pthread_mutexattr_destroy(&a);
}

static void begin_objects(void)
{
	for (int i = 0; i < GP_MUTEXES; i++) {
		struct object *b = &objects[i];
		enum gp_object what = given_object(GP_MEMORY + i);

		switch (what) {
		case GP_MUTEX:
		case GP_ROBUST: begin_mutex(b, what == GP_ROBUST); break;
		case GP_RWLOCK: pthread_rwlock_init(&b->rwlock, NULL); break;
		case GP_SEMAPHORE: sem_init(&b->sem, 0, given_initial(GP_MEMORY + i)); break;
		default: break;
		}
	}
}

/* --- operations ------------------------------------------------------------------------------- */

static int await(const int *a, const int *b, int order, int value)
{
	int turns = 0;

	for (;;) {
		if (__atomic_load_n(a, order) == value)
			return value;
		if (b && __atomic_load_n(b, order) == value)
			return value;
		if (loop == 1)
			sched_yield();
		if (loop == 2 && ++turns > 2)
			for (volatile int i = 0; i < 2; i++) {
			}
	}
}

static int compare(int *a, const struct gp_op *o, int to)
{
	int old = o->expected;

	__atomic_compare_exchange_n(a, &old, to, false, o->order, o->fail);
	return old;
}

static void begin_thread(int t);

static int access_memory(const struct gp_op *o, int operand)
{
	int *a = &memory[o->place];

	switch (o->kind) {
	case GP_LOAD: return __atomic_load_n(a, o->order);
	case GP_STORE: __atomic_store_n(a, operand, o->order); return 0;
	case GP_ADD: return __atomic_fetch_add(a, operand, o->order);
	case GP_XCHG: return __atomic_exchange_n(a, operand, o->order);
	case GP_CAS: return compare(a, o, operand);
	case GP_PLAIN_LOAD: return *a;
	case GP_PLAIN_STORE: *a = operand; return 0;
	case GP_AWAIT: return await(a, NULL, o->order, operand);
	case GP_AWAIT_ANY: return await(a, &memory[gp_other(given(), o->place)], o->order, operand);
	case GP_AWAIT_XCHG:
		while (__atomic_exchange_n(a, 1, o->order)) {
		}
		return 0;
	default: /* GP_AWAIT_CAS */
		while (compare(a, o, operand) != o->expected) {
		}
		return o->expected;
	}
}

static int operation(struct worker *w, const struct gp_op *o, int operand)
{
	struct object *b = &objects[o->place - GP_MEMORY];

	switch (gp_object_of(o->kind)) {
	case GP_MUTEX:
		if (o->kind == GP_DIE)
			return 1;
		if (o->kind != GP_UNLOCK)
			return lock(b, o);
		unlock(b, o, o->guard < 0 ? 1 : w->reg[o->guard]);
		return 1;
	case GP_RWLOCK:
		if (o->kind != GP_RWUNLOCK)
			return lock_shared(b, o);
		return !pthread_rwlock_unlock(&b->rwlock);
	case GP_SEMAPHORE:
		return o->kind == GP_SEM_WAIT	? !sem_wait(&b->sem)
		       : o->kind == GP_SEM_POST ? !sem_post(&b->sem)
		       : o->kind == GP_TRYWAIT	? take(b, o)
						: value_of(b);
	case GP_ONCE_FLAG: return o->kind == GP_ONCE ? once(b, w) : 1;
	default: break;
	}
	switch (o->kind) {
	case GP_FENCE: __atomic_thread_fence(o->order); return 0;
	case GP_SPAWN: begin_thread(o->value); return 0;
	case GP_JOIN: pthread_join(threads[o->value], NULL); return 0;
	case GP_BARRIER: pthread_barrier_wait(&meeting); return 0;
	default: return access_memory(o, operand);
	}
}

/* Run up to `end`; returns the position. */
static int run(struct worker *w, int end)
{
	while (w->at < end) {
		int i = w->at, got;
		struct gp_op o;

		memcpy(&o, w->op[i], sizeof o);
		if (!gp_skipped(&o, w->reg)) {
			got = operation(w, &o, gp_operand(&o, w->reg));
			w->reg[i] = (uint8_t)got;
		}
		w->at = (w->at > i ? w->at : i) + 1;
	}
	return w->at;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void leave(struct worker *w)
{
	memcpy(learned[w->me], w->reg, sizeof w->reg);
	if (finish != BY_JOIN)
		sem_post(&done);
}

static void destroy(void *arg)
{
	struct worker *w = arg;

	run(w, w->n);
	leave(w);
	free(w);
}

static void *work(void *arg)
{
	struct worker *w = calloc(1, sizeof *w);
	int me = (int)(intptr_t)arg, last;

	/* Now, while the buffer is empty: a call of code without Heddle waits for it. */
	w->me = me;
	w->n = given_length(me);
	for (int i = 0; i < w->n; i++)
		for (int half = 0; half < 2; half++)
			w->op[i][half] = given_op(me, i, half);
	self = w;
	last = w->n - (w->n > 1 && given_style(Q_TSD + 16 * (unsigned)me, 3) == 0);
	if (given_object(GP_MEMORY) > GP_SEMAPHORE || given_object(GP_MEMORY + 1) > GP_SEMAPHORE)
		last = w->n; /* no operation of a robust mutex or a once flag there */
	run(w, last);
	if (last < w->n) {
		pthread_setspecific(key, w);
		return NULL;
	}
	leave(w);
	free(w);
	return NULL;
}

static void begin_thread(int t)
{
	bool detached = finish != BY_JOIN && !given_is_joined(t);
	unsigned how = given_style(Q_DETACH, 3);
	pthread_attr_t a;

	pthread_attr_init(&a);
	if (detached && how == 0)
		pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	heddle_assert(!pthread_create(&threads[t], &a, work, (void *)(intptr_t)t));
	pthread_attr_destroy(&a);
	if (detached && how == 1)
		pthread_detach(threads[t]);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void observe(void)
{
	uint8_t reg[GP_THREADS][GP_OPS];
	int last[GP_MEMORY];

	memcpy(reg, learned, sizeof reg); /* given_digest() is code without Heddle */
	for (int i = 0; i < GP_MEMORY; i++)
		last[i] = __atomic_load_n(&memory[i], __ATOMIC_RELAXED);
	heddle_observe("outcome", (int64_t)given_digest(reg, last));
}

/* Threads started by another thread come last: it has stored their numbers. */
static void wait_for_all(void)
{
	int n = given_threads();

	if (finish != BY_JOIN) {
		while (n--)
			while (sem_wait(&done)) {
			}
		return;
	}
	for (int spawned = 0; spawned < 2; spawned++)
		for (int t = 0; t < n; t++)
			if (given_is_spawned(t) == spawned && !given_is_joined(t))
				pthread_join(threads[t], NULL);
}

static void *ender(void *arg)
{
	wait_for_all();
	exit(0);
	return arg;
}

static void program(void *unused)
{
	int n = given_threads();
	pthread_t t;

	(void)unused;
	finish = given_style(Q_FINISH, FINISHES);
	loop = given_style(Q_LOOP, 3);
	wall_clock = given_style(Q_CLOCK, 2);
	pthread_key_create(&key, destroy);
	sem_init(&done, 0, 0);
	pthread_barrier_init(&meeting, NULL, (unsigned)n);
	begin_objects();
	if (finish >= BY_ATEXIT)
		atexit(observe);
	for (int i = 0; i < n; i++)
		if (!given_is_spawned(i))
			begin_thread(i);
	if (finish == BY_THREAD) {
		pthread_create(&t, NULL, ender, NULL);
		pthread_exit(NULL);
	}
	wait_for_all();
	if (finish == BY_ATEXIT)
		exit(0);
	observe();
}

/* --- comparison ------------------------------------------------------------------------------- */

static unsigned long comparisons, left_out, wrongs, races, stucks;

static void wrong(enum gp_model m, const char *how, const char *what, const struct heddle_result *r)
{
	printf("not ok - agree: native: %s: %s, %s: %s; %u outcomes of %u, %llu executions, "
	       "finish %u, %s\n",
		given()->name, gp_model_names[m], how, what, r->outcomes, given_outcomes(m),
		(unsigned long long)r->executions, given_style(Q_FINISH, FINISHES),
		r->message ? r->message : "no finding");
	gprogram_print(given());
	fflush(stdout);
	wrongs++;
}

/* Of executions that are stuck there is one without a value. */
static void compare_outcomes(enum gp_model m, const char *how, const struct heddle_result *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->outcomes; i++) {
		const char *value = strchr(r->outcome[i].text, '=');

		if (!value)
			continue;
		n++;
		if (!given_has_outcome(m, strtoull(value + 1, NULL, 10))) {
			wrong(m, how, "an outcome that there is not", r);
			return;
		}
	}
	if (r->complete && n != given_outcomes(m))
		wrong(m, how, "an outcome is missing", r);
}

/* With a strategy that explores all executions, or only some. */
static void compare_with(enum gp_model m, const char *how, bool all)
{
	struct heddle_options o = {.model = gp_model_names[m], .quiet = true, .keep_going = true,
		.options = how, .name = given()->name};
	struct heddle_result r;
	bool stuck = false, other = false, race = false;
	int code = heddle_check(program, NULL, &o, &r);

	for (unsigned i = 0; i < r.findings; i++) {
		const char *kind = r.finding[i].kind;

		if (!strcmp(kind, "race"))
			race = true;
		else if (!strcmp(kind, "deadlock") || !strcmp(kind, "livelock"))
			stuck = true;
		else
			other = true;
	}
	comparisons++;
	if (code == 2 || code == 70 || other) {
		wrong(m, how, "failed", &r);
	} else if (race != given_has_race(m)) {
		wrong(m, how, race ? "a race that there is not" : "a race is missing", &r);
	} else if (race) {
		races++;
	} else if (!r.complete && all) {
		left_out++;
	} else if (stuck != given_is_stuck(m) && (stuck || r.complete)) {
		wrong(m, how, stuck ? "stuck" : "not stuck", &r);
	} else {
		stucks += stuck;
		compare_outcomes(m, how, &r);
	}
}

static void compare_all(unsigned turn)
{
	static const struct {
		const char *how;
		bool all;
	} strategies[] = {{"strategy=graph,equivalence=rf", true}, {"strategy=rf", true},
		{"strategy=dfs,executions=2000", false}, {"strategy=random,executions=40", false},
		{"strategy=pct,executions=40", false},
		{"strategy=pctwm,executions=40,depth=3", false}};
	static const unsigned weak[] = {0, 3, 5}; /* those for models without store buffers */

	for (enum gp_model m = 0; m < GP_MODELS && wrongs < 10; m++) {
		unsigned s = m > GP_PSO ? weak[(turn + m) % 3] : (turn + m) % 6;

		compare_with(m, "strategy=graph", true);
		if (given_has_race(m))
			continue;
		compare_with(m, strategies[s].how, strategies[s].all);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	int skipped = 0;

	for (int i = 0; i < n && wrongs < 10; i++) {
		if (!given_begin(seed + (uint64_t)i)) {
			skipped++;
			continue;
		}
		if (getenv("SHOW"))
			gprogram_print(given());
		compare_all((unsigned)(seed + (uint64_t)i));
	}
	wrongs += skipped > n / 2;
	printf("%s - agree: native: %d programs of seed %llu and on, %d left out; %lu comparisons, "
	       "%lu with races, %lu stuck, %lu not complete and left out; %lu wrong\n",
		wrongs ? "not ok" : "ok", n, (unsigned long long)seed, skipped, comparisons, races,
		stucks, left_out, wrongs);
	return wrongs > 0;
}
