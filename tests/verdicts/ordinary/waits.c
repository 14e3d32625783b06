/* SPDX-License-Identifier: ISC */
/* waits.c - a thread waits for an action of another one: loops, conditions, semaphores, once. */
#include "ordinary.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

/* --- a message -------------------------------------------------------------------------------- */

struct message {
	int plain;
	struct pair {
		short a;
		long b;
	} pair, *block;
	atomic_int flag, slow;
	unsigned turns[WORKERS];
	unsigned long count[WORKERS]; /* not looked at, as the next */
	atomic_int sum;
	pthread_mutex_t mutex; /* of a thread whose wait has timed out */
	pthread_cond_t cond;
	bool open;
};

/* Until it arrives, except for those with a limit of iterations or time. */
enum loop {
	LOOP, YIELD, COUNT, BACK_OFF, ADAPTIVE, SLEEP, LIMIT, TIME, BLOCK, STATISTICS, TALLY, SUM,
	LOOPS
};
static const char *const loop_name[] = {"message:loop", "message:yield", "message:count",
	"message:back-off", "message:adaptive", "message:sleep", "message:limit", "message:time",
	"message:block", "message:statistics", "message:tally", "message:sum"};

static void message_begin(const struct part *p, void *state)
{
	struct message *m = state;

	(void)p;
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->cond, NULL);
}

static void send(const struct part *p, struct message *m)
{
	switch (p->pick[1] % 3) {
	case 0: m->plain = 7; break;
	case 1: m->pair = (struct pair){3, 4}; break;
	default: m->block = malloc(sizeof *m->block); *m->block = (struct pair){1, 6};
	}
	if (p->pick[0] % LOOPS == BLOCK) {
		pthread_mutex_lock(&m->mutex);
		m->open = true;
		put(&m->flag, 1, release_or(p, 1));
		pthread_cond_broadcast(&m->cond);
		pthread_mutex_unlock(&m->mutex);
	} else if (p->weak != 3) {
		put(&m->flag, 1, release_or(p, 1));
	}
}

static void read_message(const struct part *p, struct message *m)
{
	switch (p->pick[1] % 3) {
	case 0: check(m->plain == 7); break;
	case 1: check(m->pair.a + m->pair.b == 7); break;
	default: check(m->block->a + m->block->b == 7);
	}
}

static bool is_there(const struct part *p, struct message *m)
{
	return look(&m->flag, acquire_or(p, 2)) == 1;
}

static void wait_blocking(const struct part *p, struct message *m)
{
	for (int i = 0; i < 2; i++)
		if (is_there(p, m))
			return;
	pthread_mutex_lock(&m->mutex);
	while (!m->open)
		pthread_cond_wait(&m->cond, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
}

static bool wait_for_time(const struct part *p, struct message *m)
{
	struct timespec limit = in(CLOCK_MONOTONIC, 2), now;

	while (!is_there(p, m)) {
		usleep(1000);
		now = in(CLOCK_MONOTONIC, 0);
		if (now.tv_sec > limit.tv_sec ||
			(now.tv_sec == limit.tv_sec && now.tv_nsec >= limit.tv_nsec))
			return is_there(p, m);
	}
	return true;
}

static void back_off(const struct part *p, struct message *m)
{
	for (int delay = 1; !is_there(p, m); delay = delay < 8 ? 2 * delay : delay)
		for (volatile int i = 0; i < delay; i++)
			KEEP();
}

static unsigned limit_of_turns(const struct part *p)
{
	return p->pick[3] % 8 ? 6 : 1000;
}

/* False: it has not come in time. */
static bool receive(const struct part *p, struct message *m, int me)
{
	unsigned turns = 0, limit = limit_of_turns(p);

	switch (p->pick[0] % LOOPS) {
	case YIELD:
		do
			sched_yield();
		while (!is_there(p, m));
		break;
	case COUNT:
		while (!is_there(p, m))
			if (++turns == limit)
				put(&m->slow, 1, memory_order_relaxed);
		break;
	case STATISTICS:
		while (!is_there(p, m))
			turns++;
		m->turns[me] = turns;
		break;
	case TALLY:
		while (!is_there(p, m))
			m->count[me]++;
		break;
	case SUM:
		while (!is_there(p, m))
			(void)atomic_fetch_add_explicit(&m->sum, 1, memory_order_relaxed);
		break;
	case BACK_OFF: back_off(p, m); break;
	case ADAPTIVE:
		while (!is_there(p, m))
			if (++turns > 3)
				thrd_yield();
		break;
	case SLEEP:
		while (!is_there(p, m))
			usleep(10);
		break;
	case LIMIT:
		while (!is_there(p, m))
			if (++turns == 3)
				return false;
		break;
	case TIME: return wait_for_time(p, m);
	case BLOCK: wait_blocking(p, m); break;
	default:
		while (!is_there(p, m)) {
		}
	}
	return true;
}

static void message_work(const struct part *p, void *state, int me)
{
	struct message *m = state;

	if (!me)
		send(p, m);
	else if (receive(p, m, me))
		read_message(p, m);
}

static void message_end(const struct part *p, void *state)
{
	struct message *m = state;

	for (int i = 1; i < p->users; i++)
		check(m->turns[i] < 1000000);
	read_message(p, m);
	free(m->block);
}

static void message_shape(struct part *p)
{
	int loop = p->pick[0] % LOOPS;

	if (p->weak == 3 && (loop == LIMIT || loop == TIME || loop == BLOCK))
		p->pick[0] = LOOP;
	if (p->weak == 1 && loop == BLOCK)
		p->pick[0] = LOOP; /* the lock is a fence under pso */
}

static bool message_endless(const struct part *p)
{
	int loop = p->pick[0] % LOOPS;

	if (loop == COUNT || loop == ADAPTIVE)
		return !COUNTS_ARE_SEEN || (loop == COUNT && limit_of_turns(p) > 100);
	return loop == STATISTICS;
}

const struct idiom message_idiom = {.name = "message",
	.least = 2,
	.most = 3,
	.costs = {6, 6, 20},
	.shape = message_shape,
	.begin = message_begin,
	.work = message_work,
	.endless = message_endless,
	.ways = loop_name,
	.nways = LOOPS,
	.end = message_end,
	.weakness = {{0}, {"the flag is stored by a relaxed store", NO_RELEASE(RACE)},
		{"the flag is loaded by a relaxed load", NO_ACQUIRE(RACE)},
		{"the flag is not stored", ALL_MODELS(STUCK)}}};

/* --- a gate: a condition, with and without a limit -------------------------------------------- */

struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	mtx_t mtx;
	cnd_t cnd;
	bool open;
	int value;
};

static void gate_begin(const struct part *p, void *state)
{
	struct gate *g = state;

	(void)p;
	pthread_mutex_init(&g->mutex, NULL);
	pthread_cond_init(&g->cond, NULL);
	mtx_init(&g->mtx, mtx_plain);
	cnd_init(&g->cnd);
}

static void gate_lock(const struct part *p, struct gate *g)
{
	if (p->pick[0] % 2)
		mtx_lock(&g->mtx);
	else
		pthread_mutex_lock(&g->mutex);
}

static void gate_unlock(const struct part *p, struct gate *g)
{
	if (p->pick[0] % 2)
		mtx_unlock(&g->mtx);
	else
		pthread_mutex_unlock(&g->mutex);
}

/* False: the time is over. */
static bool gate_wait(const struct part *p, struct gate *g, bool timed)
{
	struct timespec t = in(CLOCK_REALTIME, 10);

	if (p->pick[0] % 2)
		return timed ? cnd_timedwait(&g->cnd, &g->mtx, &t) == thrd_success
			     : !cnd_wait(&g->cnd, &g->mtx);
	return timed ? !pthread_cond_timedwait(&g->cond, &g->mutex, &t)
		     : !pthread_cond_wait(&g->cond, &g->mutex);
}

static void open_gate(const struct part *p, struct gate *g)
{
	if (p->weak != 2)
		g->value = 5;
	gate_lock(p, g);
	g->open = true;
	if (p->weak == 2 && p->pick[2] % 2)
		gate_unlock(p, g);
	if (p->weak != 1) {
		pthread_cond_broadcast(&g->cond);
		cnd_broadcast(&g->cnd);
	}
	if (p->weak != 2 || !(p->pick[2] % 2))
		gate_unlock(p, g);
	if (p->weak == 2)
		g->value = 5;
}

static void gate_work(const struct part *p, void *state, int me)
{
	struct gate *g = state;
	unsigned how = p->pick[1] % 3; /* wait; repeatedly; once, then continue without */

	if (!me) {
		open_gate(p, g);
		return;
	}
	if (p->weak == 3 && g->open)
		return;
	gate_lock(p, g);
	while (!g->open)
		if (!gate_wait(p, g, how > 0) && how == 2)
			break;
	if (g->open)
		check(g->value == 5);
	gate_unlock(p, g);
}

static void gate_end(const struct part *p, void *state)
{
	struct gate *g = state;

	(void)p;
	check(g->open && g->value == 5);
}

static void gate_shape(struct part *p)
{
	if (p->weak == 1)
		p->pick[1] = 0;
}

static bool gate_retries(const struct part *p)
{
	return p->pick[1] % 3 == 1;
}

const struct idiom gate_idiom = {.name = "gate",
	.least = 2,
	.most = 3,
	.costs = {10, 10, 60},
	.shape = gate_shape,
	.begin = gate_begin,
	.work = gate_work,
	.retries = gate_retries,
	.end = gate_end,
	.weakness = {{0}, {"opening the gate wakes no thread", ALL_MODELS(STUCK)},
		{"the value is written after the gate is open", ALL_MODELS(RACE)},
		{"one look at the gate is without its lock", ALL_MODELS(RACE)}}};

/* --- a semaphore hands over ------------------------------------------------------------------- */

struct post {
	sem_t sem;
	int value, missed[WORKERS];
};

static void post_begin(const struct part *p, void *state)
{
	struct post *s = state;

	sem_init(&s->sem, 0, p->weak == 1);
}

static void post_work(const struct part *p, void *state, int me)
{
	struct post *s = state;
	struct timespec t;

	if (!me) {
		s->value = 3;
		for (int i = 1 + (p->weak == 2); i < p->users; i++)
			sem_post(&s->sem);
		return;
	}
	switch (p->pick[0] % 3) {
	case 0:
		t = in(p->pick[1] % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, 10);
		if (p->pick[1] % 2 ? sem_clockwait(&s->sem, CLOCK_MONOTONIC, &t)
				   : sem_timedwait(&s->sem, &t)) {
			check(errno == ETIMEDOUT);
			s->missed[me] = 1;
			return;
		}
		break;
	case 1:
		if (sem_trywait(&s->sem)) {
			check(errno == EAGAIN);
			s->missed[me] = 1;
			return;
		}
		break;
	default: check(!sem_wait(&s->sem));
	}
	check(s->value == 3);
}

static void post_end(const struct part *p, void *state)
{
	struct post *s = state;
	int value, missed = 0;

	for (int i = 1; i < p->users; i++)
		missed += s->missed[i];
	sem_getvalue(&s->sem, &value);
	check(value == missed);
}

static void post_shape(struct part *p)
{
	if (p->weak == 2)
		p->pick[0] = 2;
}

const struct idiom post_idiom = {.name = "post",
	.least = 2,
	.most = 3,
	.costs = {12, 12, 70},
	.shape = post_shape,
	.begin = post_begin,
	.work = post_work,
	.end = post_end,
	.weakness = {{0}, {"the semaphore begins with one", ALL_MODELS(RACE)},
		{"one post is missing", ALL_MODELS(STUCK)}}};

/* --- once ------------------------------------------------------------------------------------- */

struct once {
	pthread_once_t once;
	once_flag flag;
	int value;
	atomic_int times, ready;
	pthread_mutex_t mutex;
	int *block;
};

static struct once
	*initialised; /* for the handlers of once, which have no argument */

static void initialise(void)
{
	initialised->value = 9;
	add(&initialised->times, 1, memory_order_relaxed);
}

static void once_begin(const struct part *p, void *state)
{
	struct once *o = state;

	(void)p;
	initialised = o;
	o->once = (pthread_once_t)PTHREAD_ONCE_INIT;
	o->flag = (once_flag)ONCE_FLAG_INIT;
}

static void once_work(const struct part *p, void *state, int me)
{
	struct once *o = state;

	if (p->weak != 1 || me) {
		if (p->pick[0] % 2)
			call_once(&o->flag, initialise);
		else
			check(!pthread_once(&o->once, initialise));
		check(o->value == 9);
	} else if (o->value) {
		check(o->value == 9);
	}
}

static void once_end(const struct part *p, void *state)
{
	struct once *o = state;

	(void)p;
	check(o->value == 9 && look(&o->times, memory_order_relaxed) == 1);
}

const struct idiom once_idiom = {.name = "once",
	.single = true,
	.least = 2,
	.most = 3,
	.costs = {5, 10, 13},
	.begin = once_begin,
	.work = once_work,
	.end = once_end,
	.weakness = {{0}, {"one thread looks without pthread_once", ALL_MODELS(RACE)}}};

/* Read, locked, read again. */
static void checked_begin(const struct part *p, void *state)
{
	struct once *o = state;

	(void)p;
	pthread_mutex_init(&o->mutex, NULL);
}

static void checked_work(const struct part *p, void *state, int me)
{
	struct once *o = state;

	(void)me;
	if (!look(&o->ready, acquire_or(p, 2))) {
		pthread_mutex_lock(&o->mutex);
		if (!look(&o->ready, memory_order_relaxed)) {
			o->block = malloc(sizeof *o->block);
			*o->block = 9;
			put(&o->ready, 1, release_or(p, 1));
		}
		pthread_mutex_unlock(&o->mutex);
	}
	check(*o->block == 9);
}

static void checked_end(const struct part *p, void *state)
{
	struct once *o = state;

	(void)p;
	check(*o->block == 9);
	free(o->block);
}

const struct idiom checked_idiom = {.name = "checked",
	.least = 2,
	.most = 3,
	.costs = {15, 15, 130},
	.begin = checked_begin,
	.work = checked_work,
	.end = checked_end,
	.weakness = {{0},
		{"what has been set up is announced by a relaxed store", NO_RELEASE(RACE)},
		{"it is looked for by a relaxed load", NO_ACQUIRE(RACE)}}};
