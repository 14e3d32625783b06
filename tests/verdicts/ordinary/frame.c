/* SPDX-License-Identifier: ISC */
/* frame.c - the creation and end of a program's threads, and its own end. */
#include "ordinary.h"

#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static struct state {
	char bytes[STATE] __attribute__((aligned(16)));
} states[PARTS], *state;

static struct {
	const struct plan *plan;
	pthread_t thread[WORKERS];
	thrd_t thread11[WORKERS];
	int result[WORKERS];
	bool ended; /* all has been checked, once */
	sem_t done, never;
	pthread_mutex_t mutex, kept;
	pthread_cond_t cond, never_signalled;
	int left;
	atomic_int counter;
} f;

enum weak {
	NOT_JOINED = 1,
	DONE_TOO_EARLY,
	ONE_TOO_MANY,
	ONE_TOO_FEW,
	NO_SIGNAL,
	RELAXED_LOOK,
	RELAXED_COUNT,
	EXIT_TOO_EARLY,
	DAEMON_READS,
	DAEMON_KEEPS_LOCK,
};

const struct weakness frame_weakness[] = {
	{0}, [NOT_JOINED] = {"one thread is not joined", ALL_MODELS(RACE)},
	[DONE_TOO_EARLY] = {"a thread says that it is done before it is", ALL_MODELS(RACE)},
	[ONE_TOO_MANY] = {"main waits for one thread too many", ALL_MODELS(STUCK)},
	[ONE_TOO_FEW] = {"main waits for all threads but one", ALL_MODELS(RACE)},
	[NO_SIGNAL] = {"the last thread does not wake main", ALL_MODELS(STUCK)},
	[RELAXED_LOOK] = {"main waits by a relaxed load", NO_ACQUIRE(RACE)},
	[RELAXED_COUNT] = {"threads are counted by a relaxed operation", NO_ACQUIRE(RACE)},
	[EXIT_TOO_EARLY] = {"exit() is called while threads work", ALL_MODELS(RACE)},
	[DAEMON_READS] = {"an unjoined thread reads a result", ALL_MODELS(RACE)},
	[DAEMON_KEEPS_LOCK] = {"an unjoined thread keeps a lock", ALL_MODELS(STUCK)}};
const unsigned frame_weaknesses = sizeof frame_weakness / sizeof *frame_weakness - 1;

static const struct plan *plan(void)
{
	return f.plan;
}

/* --- the end ---------------------------------------------------------------------------------- */

static void check_all(void)
{
	const struct plan *p = plan();

	if (f.ended)
		return;
	f.ended = true;
	for (int t = 0; t < p->workers; t++)
		check(f.result[t] == t + 1);
	for (int i = 0; i < p->parts; i++)
		idioms[p->part[i].idiom]->end(&p->part[i], &state[i]);
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *worker(void *arg);

static int worker11(void *arg)
{
	worker(arg);
	return 0;
}

static bool by_c11(int t)
{
	return plan()->pick[0] >> t & 1;
}

/* A thread that will not be joined is detached: by itself, by this thread, by its attributes; or
 * not at all. */
static void begin_thread(int t)
{
	bool detached = plan()->finish != FINISH_JOIN;
	unsigned how = plan()->pick[1] % 4;
	pthread_attr_t a;

	if (by_c11(t)) {
		check(thrd_create(&f.thread11[t], worker11, &f.result[t]) == thrd_success);
		if (detached && how == 1)
			thrd_detach(f.thread11[t]);
		return;
	}
	pthread_attr_init(&a);
	if (detached && how == 0)
		pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	check(!pthread_create(&f.thread[t], &a, worker, &f.result[t]));
	pthread_attr_destroy(&a);
	if (detached && how == 1)
		check(!pthread_detach(f.thread[t]));
}

static void join_thread(int t)
{
	if (by_c11(t))
		check(thrd_join(f.thread11[t], NULL) == thrd_success);
	else
		check(!pthread_join(f.thread[t], NULL));
}

static void say_done(int t)
{
	const struct plan *p = plan();

	switch (p->finish) {
	case FINISH_SEMAPHORE: sem_post(&f.done); break;
	case FINISH_CONDITION:
		pthread_mutex_lock(&f.mutex);
		f.left--;
		if (p->weak != NO_SIGNAL || f.left)
			pthread_cond_signal(&f.cond);
		pthread_mutex_unlock(&f.mutex);
		break;
	case FINISH_COUNTER:
		if (add(&f.counter, -1,
			    p->weak == RELAXED_COUNT ? memory_order_relaxed
						     : memory_order_acq_rel) == 1 &&
			p->ending == END_LAST)
			check_all();
		break;
	default: break;
	}
	(void)t;
}

static void work(int t)
{
	const struct plan *p = plan();

	if ((p->start == START_CHAIN || p->start == START_NEST) && t + 1 < p->workers)
		begin_thread(t + 1);
	if (p->weak == DAEMON_KEEPS_LOCK && !t) {
		pthread_mutex_lock(&f.kept);
		pthread_mutex_unlock(&f.kept);
	}
	for (int i = 0; i < p->parts; i++)
		if (p->part[i].role[t] < p->part[i].users)
			idioms[p->part[i].idiom]->work(&p->part[i], &state[i], p->part[i].role[t]);
	if (p->start == START_NEST && p->finish == FINISH_JOIN && t + 1 < p->workers &&
		(p->weak != NOT_JOINED || t + 2 < p->workers))
		join_thread(t + 1);
	if (p->weak == DONE_TOO_EARLY && t == p->workers - 1)
		say_done(t);
	f.result[t] = t + 1;
	if (p->weak != DONE_TOO_EARLY || t < p->workers - 1)
		say_done(t);
}

static void *worker(void *arg)
{
	int t = (int)((int *)arg - f.result);

	if (plan()->finish != FINISH_JOIN && plan()->pick[1] % 4 == 2)
		pthread_detach(pthread_self());
	work(t);
	if (plan()->pick[2] >> t & 1) {
		if (by_c11(t))
			thrd_exit(0);
		pthread_exit(NULL);
	}
	return NULL;
}

static void wait_for_all(void)
{
	const struct plan *p = plan();
	int first = p->start == START_MAIN_WORKS, n = p->workers;

	switch (p->finish) {
	case FINISH_JOIN:
		n = p->start == START_NEST ? 1 : p->weak == NOT_JOINED ? n - 1 : n;
		for (int t = first; t < n; t++)
			join_thread(t);
		break;
	case FINISH_SEMAPHORE:
		n += (p->weak == ONE_TOO_MANY) - (p->weak == ONE_TOO_FEW);
		while (n--)
			while (sem_wait(&f.done)) {
			}
		break;
	case FINISH_CONDITION:
		pthread_mutex_lock(&f.mutex);
		while (f.left)
			pthread_cond_wait(&f.cond, &f.mutex);
		pthread_mutex_unlock(&f.mutex);
		break;
	default:
		while (look(&f.counter,
			p->weak == RELAXED_LOOK ? memory_order_relaxed : memory_order_acquire))
			if (p->pick[3] & 1)
				sched_yield();
	}
}

/* --- how it ends ------------------------------------------------------------------------------ */

static void *ender(void *arg)
{
	if (plan()->weak != EXIT_TOO_EARLY)
		wait_for_all();
	if (plan()->pick[3] & 2)
		check_all();
	exit(0); /* and, if it has not been done, check_all() */
	return arg;
}

/* Another thread ends the program: this one waits for that. */
static void wait_for_end(pthread_t other)
{
	switch (plan()->pick[3] >> 2 & 3) {
	case 0: pthread_join(other, NULL); break;
	case 1: sem_wait(&f.never); break;
	case 2: pthread_exit(NULL);
	default: break;
	}
	pthread_mutex_lock(&f.mutex);
	for (;;)
		pthread_cond_wait(&f.never_signalled, &f.mutex);
}

static void finish(void)
{
	const struct plan *p = plan();
	pthread_t t;

	switch (p->ending) {
	case END_BY_THREAD:
		atexit(check_all);
		check(!pthread_create(&t, NULL, ender, NULL));
		wait_for_end(t);
		break;
	case END_LAST: pthread_exit(NULL);
	case END_ATEXIT: atexit(check_all); break;
	default: break;
	}
	wait_for_all();
	if (p->ending != END_ATEXIT)
		check_all();
	if (p->ending != END_RETURN)
		exit(0);
	if (state != states)
		free(state);
}

/* --- weaknesses of unjoined threads --------------------------------------------------------- */

static void *reads(void *arg)
{
	check(f.result[0] <= 1);
	return arg;
}

static void *keeps_lock(void *arg)
{
	pthread_mutex_lock(&f.kept);
	sem_wait(&f.never);
	return arg;
}

static void begin_daemons(const struct plan *p)
{
	pthread_t t;

	if (p->daemons)
		daemons_begin(p);
	if (p->weak == DAEMON_READS)
		check(!pthread_create(&t, NULL, reads, NULL));
	if (p->weak == DAEMON_KEEPS_LOCK)
		check(!pthread_create(&t, NULL, keeps_lock, NULL));
}

/* The block is freed at the end: by then, no thread may use it. */
static bool on_heap(const struct plan *p)
{
	for (int i = 0; i < p->parts; i++)
		if (idioms[p->part[i].idiom]->stays || idioms[p->part[i].idiom] == &robust_idiom)
			return false;
	return p->pick[3] & 16;
}

void frame_run(const struct plan *p)
{
	int n = p->workers + (p->weak == ONE_TOO_MANY) - (p->weak == ONE_TOO_FEW);

	memset(states, 0, sizeof states);
	memset(&f, 0, sizeof f);
	f.plan = p;
	state = on_heap(p) ? calloc(PARTS, sizeof *state) : states;
	sem_init(&f.done, 0, 0);
	sem_init(&f.never, 0, 0);
	pthread_mutex_init(&f.mutex, NULL);
	pthread_mutex_init(&f.kept, NULL);
	pthread_cond_init(&f.cond, NULL);
	pthread_cond_init(&f.never_signalled, NULL);
	f.left = n;
	put(&f.counter, n, memory_order_relaxed);
	for (int i = 0; i < p->parts; i++)
		if (idioms[p->part[i].idiom]->begin)
			idioms[p->part[i].idiom]->begin(&p->part[i], &state[i]);
	if (p->pick[3] & 32)
		begin_daemons(p);
	for (int t = p->start == START_MAIN_WORKS;
		t < (p->start == START_CHAIN || p->start == START_NEST ? 1 : p->workers); t++)
		begin_thread(t);
	if (!(p->pick[3] & 32))
		begin_daemons(p);
	if (p->start == START_MAIN_WORKS)
		work(0);
	finish();
}
