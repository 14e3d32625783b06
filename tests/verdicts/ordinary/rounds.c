/* SPDX-License-Identifier: ISC */
/* rounds.c - threads that meet repeatedly: barriers, semaphores, queues, pools of threads; a
 * thread's own data. */
#include "ordinary.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

/* --- barriers --------------------------------------------------------------------------------- */

struct meeting {
	pthread_barrier_t barrier;
	atomic_int left, sense; /* an own one */
	pthread_mutex_t mutex;	/* another own one */
	pthread_cond_t cond;
	int arrived, round;
	int slot[WORKERS];
	atomic_int serial;
};

static void barrier_begin(const struct part *p, void *state)
{
	struct meeting *m = state;
	int n = p->users + (p->weak == 2);

	pthread_barrier_init(&m->barrier, NULL, (unsigned)n);
	put(&m->left, n, memory_order_relaxed);
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->cond, NULL);
}

static bool meet_sense(const struct part *p, struct meeting *m, int *sense)
{
	int n = p->users + (p->weak == 2);

	*sense = !*sense;
	if (add(&m->left, -1, both_or(p, 4)) == 1) {
		put(&m->left, n, memory_order_relaxed);
		put(&m->sense, *sense, release_or(p, NEVER));
		return true;
	}
	while (look(&m->sense, acquire_or(p, 3)) != *sense)
		if (p->pick[1] % 2)
			sched_yield();
	return false;
}

static bool meet_condition(const struct part *p, struct meeting *m)
{
	int n = p->users + (p->weak == 2), round;
	bool last;

	pthread_mutex_lock(&m->mutex);
	round = m->round;
	last = ++m->arrived == n;
	if (last) {
		m->arrived = 0;
		m->round++;
		pthread_cond_broadcast(&m->cond);
	}
	while (m->round == round)
		pthread_cond_wait(&m->cond, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
	return last;
}

static void meet(const struct part *p, struct meeting *m, int *sense)
{
	bool last;
	int r;

	switch (p->pick[0] % 4) {
	case 0: last = meet_sense(p, m, sense); break;
	case 1: last = meet_condition(p, m); break;
	default:
		r = pthread_barrier_wait(&m->barrier);
		check(!r || r == PTHREAD_BARRIER_SERIAL_THREAD);
		last = r;
	}
	if (last)
		add(&m->serial, 1, memory_order_relaxed);
}

static void barrier_work(const struct part *p, void *state, int me)
{
	struct meeting *m = state;
	int sense = 0;

	for (int i = 0; i < p->rounds; i++) {
		m->slot[me] = 10 * i + me;
		meet(p, m, &sense);
		check(m->slot[(me + 1) % p->users] == 10 * i + (me + 1) % p->users);
		if (p->weak != 1)
			meet(p, m, &sense);
	}
}

static void barrier_end(const struct part *p, void *state)
{
	struct meeting *m = state;

	check(look(&m->serial, memory_order_relaxed) == 2 * p->rounds);
}

static void barrier_shape(struct part *p)
{
	if (p->weak == 1 && p->rounds < 2)
		p->rounds = 2;
	if (p->weak >= 3)
		p->pick[0] = 0;
}

const struct idiom barrier_idiom = {.name = "barrier",
	.least = 2,
	.most = 3,
	.costs = {9, 150, 600},
	.shape = barrier_shape,
	.begin = barrier_begin,
	.work = barrier_work,
	.end = barrier_end,
	.weakness = {{0}, {"all meet only once a round", ALL_MODELS(RACE)},
		{"the barrier waits for one thread too many", ALL_MODELS(STUCK)},
		{"threads leave an own barrier by a relaxed load", NO_ACQUIRE(RACE)},
		{"threads arrive at an own barrier by a relaxed operation", NO_ACQUIRE(RACE)}}};

/* --- a buffer with two semaphores ------------------------------------------------------------- */

struct buffer {
	sem_t items, room;
	int slot[2], taken;
};

#define SLOTS(p) (1 + (p)->pick[0] % 2)
#define ITEMS(p) (SLOTS(p) + (p)->rounds)

static void buffer_begin(const struct part *p, void *state)
{
	struct buffer *b = state;

	sem_init(&b->items, 0, 0);
	sem_init(&b->room, 0, (unsigned)SLOTS(p) + (p->weak == 4));
}

static void down(const struct part *p, sem_t *s)
{
	struct timespec t;

	switch (p->pick[1] % 4) {
	case 0:
		while (sem_trywait(s))
			sched_yield();
		return;
	case 1:
		t = in(CLOCK_REALTIME, 10);
		while (sem_timedwait(s, &t)) {
			check(errno == ETIMEDOUT);
			t = in(CLOCK_REALTIME, 10);
		}
		return;
	case 2:
		t = in(CLOCK_REALTIME, 10);
		if (!sem_timedwait(s, &t))
			return; /* else wait without a limit: */
	default: check(!sem_wait(s));
	}
}

static void buffer_work(const struct part *p, void *state, int me)
{
	struct buffer *b = state;
	int slots = SLOTS(p), items = ITEMS(p);

	for (int i = 0; i < items; i++) {
		if (!me) {
			if (p->weak != 2)
				down(p, &b->room);
			b->slot[i % slots] = i + 1;
			if (p->weak != 3 || i < items - 1)
				check(!sem_post(&b->items));
		} else {
			if (p->weak != 1)
				down(p, &b->items);
			check(b->slot[i % slots] == i + 1);
			b->taken++;
			check(!sem_post(&b->room));
		}
	}
}

static void buffer_end(const struct part *p, void *state)
{
	struct buffer *b = state;

	check(b->taken == ITEMS(p));
	check(!sem_destroy(&b->items) && !sem_destroy(&b->room));
}

static bool buffer_retries(const struct part *p)
{
	return p->pick[1] % 4 == 1;
}

/* A thread that retries is not detected as stuck. */
static void buffer_shape(struct part *p)
{
	if (p->weak == 3)
		p->pick[1] = 3;
}

const struct idiom buffer_idiom = {.name = "buffer",
	.least = 2,
	.most = 2,
	.costs = {30, 100, 0},
	.shape = buffer_shape,
	.begin = buffer_begin,
	.work = buffer_work,
	.retries = buffer_retries,
	.end = buffer_end,
	.weakness = {{0}, {"the consumer does not wait for an item", ALL_MODELS(RACE)},
		{"the producer does not wait for room", ALL_MODELS(RACE)},
		{"one item is not posted", ALL_MODELS(STUCK)},
		{"there is room for one item more than there are slots", ALL_MODELS(RACE)}}};

/* --- a queue with a condition variable -------------------------------------------------------- */

struct queue {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	struct item {
		struct item *next;
		int value;
	} * first, **end;
	bool closed;
	int sum;
};

static void queue_begin(const struct part *p, void *state)
{
	struct queue *q = state;
	pthread_condattr_t a;

	pthread_mutex_init(&q->mutex, NULL);
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, p->pick[2] % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME);
	pthread_cond_init(&q->cond, &a);
	pthread_condattr_destroy(&a);
	q->end = &q->first;
}

static void produce(const struct part *p, struct queue *q, int i)
{
	struct item *item = malloc(sizeof *item);
	bool outside = p->pick[0] % 3 == 0;

	item->value = i + 1;
	item->next = NULL;
	if (p->weak != 2 || i)
		pthread_mutex_lock(&q->mutex);
	*q->end = item;
	q->end = &item->next;
	if (!outside)
		pthread_cond_signal(&q->cond);
	if (p->weak != 2 || i)
		pthread_mutex_unlock(&q->mutex);
	if (outside)
		pthread_cond_signal(&q->cond);
}

static void close_queue(const struct part *p, struct queue *q)
{
	pthread_mutex_lock(&q->mutex);
	q->closed = true;
	if (p->weak == 3)
		pthread_cond_signal(&q->cond);
	else if (p->weak != 1)
		pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->mutex);
}

/* A time-out changes nothing: it waits again. */
static void await_item(const struct part *p, struct queue *q)
{
	struct timespec t;

	while (!q->first && !q->closed) {
		if (p->pick[1] % 3) {
			pthread_cond_wait(&q->cond, &q->mutex);
		} else {
			t = in(p->pick[2] % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, 10);
			pthread_cond_timedwait(&q->cond, &q->mutex, &t);
		}
	}
}

static void consume(const struct part *p, struct queue *q)
{
	for (;;) {
		struct item *item;

		pthread_mutex_lock(&q->mutex);
		await_item(p, q);
		item = q->first;
		if (item) {
			q->first = item->next;
			if (!q->first)
				q->end = &q->first;
			q->sum += item->value;
		}
		pthread_mutex_unlock(&q->mutex);
		if (!item)
			return;
		free(item);
	}
}

static void queue_work(const struct part *p, void *state, int me)
{
	struct queue *q = state;

	if (me) {
		consume(p, q);
		return;
	}
	for (int i = 0; i < p->rounds; i++)
		produce(p, q, i);
	close_queue(p, q);
}

static void queue_end(const struct part *p, void *state)
{
	struct queue *q = state;

	check(q->sum == p->rounds * (p->rounds + 1) / 2);
}

static void queue_shape(struct part *p)
{
	if (p->weak)
		p->pick[1] = 1; /* no thread checks again after a time */
	if (p->weak == 3 && p->users < 3)
		p->weak = 1;
}

static bool queue_retries(const struct part *p)
{
	return p->pick[1] % 3 == 0;
}

const struct idiom queue_idiom = {.name = "queue",
	.least = 2,
	.most = 3,
	.costs = {40, 200, 2000},
	.shape = queue_shape,
	.begin = queue_begin,
	.work = queue_work,
	.retries = queue_retries,
	.end = queue_end,
	.weakness = {{0}, {"closing the queue wakes no thread", ALL_MODELS(STUCK)},
		{"an item is appended without the lock", ALL_MODELS(RACE)},
		{"closing the queue wakes one thread of two", ALL_MODELS(STUCK)}}};

/* --- a thread that serves others, and stays ------------------------------------------------ */

struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t wanted, done;
	int jobs, finished[WORKERS], last;
	const struct part *part;
};

static void pool_begin(const struct part *p, void *state)
{
	struct pool *w = state;

	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->wanted, NULL);
	pthread_cond_init(&w->done, NULL);
	w->part = p;
}

static void *pool_thread(void *state)
{
	struct pool *w = state;

	for (;;) {
		pthread_mutex_lock(&w->mutex);
		while (!w->jobs)
			pthread_cond_wait(&w->wanted, &w->mutex);
		for (int i = 0; i < WORKERS; i++)
			if (w->jobs >> i & 1)
				w->finished[i] = i + 1;
		w->jobs = 0;
		if (w->part->weak != 1)
			pthread_cond_broadcast(&w->done);
		pthread_mutex_unlock(&w->mutex);
	}
}

static void pool_work(const struct part *p, void *state, int me)
{
	struct pool *w = state;
	pthread_t t;

	if (!me) {
		check(!pthread_create(&t, NULL, pool_thread, w));
		if (p->pick[0] % 2)
			pthread_detach(t);
	}
	pthread_mutex_lock(&w->mutex);
	w->jobs |= 1 << me;
	if (p->weak != 2)
		pthread_cond_signal(&w->wanted);
	if (p->weak == 3 && !me) {
		pthread_mutex_unlock(&w->mutex);
		check(w->finished[me] <= me + 1);
		return;
	}
	while (!w->finished[me])
		pthread_cond_wait(&w->done, &w->mutex);
	check(w->finished[me] == me + 1);
	pthread_mutex_unlock(&w->mutex);
}

static void pool_end(const struct part *p, void *state)
{
	struct pool *w = state;

	pthread_mutex_lock(&w->mutex);
	for (int i = 0; i < p->users; i++)
		check(w->finished[i] == i + 1);
	pthread_mutex_unlock(&w->mutex);
}

const struct idiom pool_idiom = {.name = "pool",
	.least = 1,
	.most = 2,
	.stays = true,
	.costs = {100, 100, 0},
	.begin = pool_begin,
	.work = pool_work,
	.end = pool_end,
	.weakness = {{0}, {"the pool's thread wakes no thread when it is done", ALL_MODELS(STUCK)},
		{"the pool's thread is not woken", ALL_MODELS(STUCK)},
		{"a result is read without the lock", ALL_MODELS(RACE)}}};

/* --- data of a thread ------------------------------------------------------------------------- */

struct own {
	pthread_key_t key;
	pthread_mutex_t mutex;
	int sum;
	const struct part *part;
};

struct value {
	struct own *own;
	int v, again;
};

static _Thread_local int local;

/* Once more, if it sets itself again. */
static void destroy(void *arg)
{
	struct value *v = arg;
	struct own *o = v->own;

	if (v->again) {
		v->again = 0;
		pthread_setspecific(o->key, v);
		return;
	}
	if (o->part->weak != 1)
		pthread_mutex_lock(&o->mutex);
	o->sum += v->v;
	if (o->part->weak != 1)
		pthread_mutex_unlock(&o->mutex);
	free(v);
}

static void own_begin(const struct part *p, void *state)
{
	struct own *o = state;

	o->part = p;
	pthread_mutex_init(&o->mutex, NULL);
	check(!pthread_key_create(&o->key, destroy));
}

static void own_work(const struct part *p, void *state, int me)
{
	struct own *o = state;
	struct value *v = malloc(sizeof *v);

	check(!pthread_getspecific(o->key));
	*v = (struct value){o, me + 1, p->pick[0] % 2};
	check(!pthread_setspecific(o->key, v));
	if (p->pick[1] % 2)
		sched_yield();
	local += me + 1;
	check(pthread_getspecific(o->key) == v && v->v == me + 1 && local >= me + 1);
}

static void own_end(const struct part *p, void *state)
{
	struct own *o = state;

	check(o->sum == p->users * (p->users + 1) / 2);
	check(!pthread_key_delete(o->key));
}

const struct idiom tsd_idiom = {.name = "tsd",
	.least = 2,
	.most = 3,
	.joined = true,
	.costs = {2, 2, 4},
	.begin = own_begin,
	.work = own_work,
	.end = own_end,
	.weakness = {{0}, {"destructors count without the lock", ALL_MODELS(RACE)}}};
