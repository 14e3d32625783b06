/* SPDX-License-Identifier: ISC */
/* Objects that are initialised again when they are no longer used; on stacks and in own blocks of
 * memory without a destroy. graph: sc rc11; random: tso */
#include <semaphore.h>
#include "two.h"

static struct objects {
	pthread_mutex_t m;
	pthread_rwlock_t rw;
	pthread_cond_t c;
	pthread_spinlock_t spin;
	pthread_barrier_t barrier;
	sem_t sem;
	int ready;
} pool;

static void make(struct objects *o)
{
	pthread_mutex_init(&o->m, NULL);
	pthread_rwlock_init(&o->rw, NULL);
	pthread_cond_init(&o->c, NULL);
	pthread_spin_init(&o->spin, 0);
	pthread_barrier_init(&o->barrier, NULL, 2);
	sem_init(&o->sem, 0, 1);
	o->ready = 0;
}

static void *waits(void *arg)
{
	struct objects *o = arg;

	pthread_mutex_lock(&o->m);
	while (!o->ready)
		pthread_cond_wait(&o->c, &o->m);
	pthread_mutex_unlock(&o->m);
	pthread_rwlock_rdlock(&o->rw);
	pthread_rwlock_unlock(&o->rw);
	sem_wait(&o->sem);
	pthread_barrier_wait(&o->barrier);
	return NULL;
}

static void *signals(void *arg)
{
	struct objects *o = arg;

	pthread_mutex_lock(&o->m);
	o->ready = 1;
	pthread_cond_broadcast(&o->c);
	pthread_mutex_unlock(&o->m);
	pthread_barrier_wait(&o->barrier);
	return NULL;
}

/* Leaves a mutex locked where the next call has another one. */
static void on_stack(void)
{
	struct objects here;

	make(&here);
	pthread_mutex_lock(&here.m);
	pthread_rwlock_wrlock(&here.rw);
}

/* Ends with the mutex. */
static void *keeps(void *arg)
{
	pthread_mutex_lock(&pool.m);
	return arg;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++) {
		make(&pool);
		two(waits, &pool, signals, &pool);
	}
	on_stack();
	on_stack();
	pthread_create(&t, NULL, keeps, NULL);
	pthread_join(t, NULL);
	make(&pool);
	puts("ok");
	return 0;
}
