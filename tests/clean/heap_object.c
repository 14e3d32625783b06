/* SPDX-License-Identifier: ISC */
/* graph: rc11 tso sc; random: tso pso */
/* The last user of an object frees the block that contains it, in the ways that POSIX allows: after
 * the unlock, the wait or the broadcast that shows it to be the last one. */
#include "two.h"

#include <semaphore.h>

struct counted {
	pthread_mutex_t lock;
	int refs;
};

static void put_counted(struct counted *c)
{
	bool last;

	pthread_mutex_lock(&c->lock);
	last = --c->refs == 0;
	pthread_mutex_unlock(&c->lock);
	if (last) {
		pthread_mutex_destroy(&c->lock);
		free(c);
	}
}

struct shared {
	pthread_rwlock_t lock;
	atomic_int refs;
};

static void put_shared(struct shared *s)
{
	pthread_rwlock_rdlock(&s->lock);
	pthread_rwlock_unlock(&s->lock);
	if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1)
		free(s);
}

struct completion {
	pthread_mutex_t lock;
	pthread_cond_t done;
	bool is_done;
};

static void complete(struct completion *c)
{
	pthread_mutex_lock(&c->lock);
	c->is_done = true;
	pthread_cond_broadcast(&c->done);
	pthread_mutex_unlock(&c->lock);
}

static void await_and_free(struct completion *c)
{
	pthread_mutex_lock(&c->lock);
	while (!c->is_done)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
	pthread_cond_destroy(&c->done);
	free(c);
}

struct all {
	struct counted *counted;
	struct shared *shared;
	struct completion *completion;
	sem_t *sem;
};

static void *first(void *arg)
{
	struct all *a = arg;

	put_counted(a->counted);
	put_shared(a->shared);
	complete(a->completion);
	sem_post(a->sem);
	return arg;
}

static void *second(void *arg)
{
	struct all *a = arg;

	put_counted(a->counted);
	put_shared(a->shared);
	await_and_free(a->completion);
	sem_wait(a->sem);
	free(a->sem);
	return arg;
}

int main(void)
{
	struct all a = {malloc(sizeof(*a.counted)), malloc(sizeof(*a.shared)),
		malloc(sizeof(*a.completion)), malloc(sizeof(*a.sem))};

	pthread_mutex_init(&a.counted->lock, NULL);
	a.counted->refs = 2;
	pthread_rwlock_init(&a.shared->lock, NULL);
	atomic_init(&a.shared->refs, 2);
	pthread_mutex_init(&a.completion->lock, NULL);
	pthread_cond_init(&a.completion->done, NULL);
	a.completion->is_done = false;
	sem_init(a.sem, 0, 0);
	two(first, &a, second, &a);
	puts("done");
	return 0;
}
