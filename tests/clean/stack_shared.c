/* SPDX-License-Identifier: ISC */
/* Local variables of threads that others access, and that live as long as these do: joined
 * children, a flag, a mutex, a semaphore; variables of main. graph: sc tso rc11; random: tso */
#include <semaphore.h>
#include "two.h"

struct job {
	int in, out;
	atomic_int done;
	sem_t sem;
	pthread_mutex_t m;
};

static _Atomic(struct job *) job;

static void *child(void *arg)
{
	*(int *)arg += 1;
	return NULL;
}

static void *parent(void *arg)
{
	int local = 1;
	pthread_t t;

	pthread_create(&t, NULL, child, &local);
	pthread_join(t, NULL);
	assert(local == 2);
	return arg;
}

static void *asks(void *arg)
{
	struct job j = {.in = 2};

	sem_init(&j.sem, 0, 0);
	pthread_mutex_init(&j.m, NULL);
	atomic_store_explicit(&job, &j, memory_order_release);
	while (!atomic_load_explicit(&j.done, memory_order_acquire))
		;
	sem_wait(&j.sem);
	pthread_mutex_lock(&j.m);
	assert(j.out == 3);
	pthread_mutex_unlock(&j.m);
	return arg;
}

static void *answers(void *arg)
{
	struct job *j;

	while (!(j = atomic_load_explicit(&job, memory_order_acquire)))
		;
	pthread_mutex_lock(&j->m);
	j->out = j->in + 1;
	pthread_mutex_unlock(&j->m);
	atomic_store_explicit(&j->done, 1, memory_order_release);
	sem_post(&j->sem);
	return arg;
}

static void *late(void *arg)
{
	atomic_fetch_add((atomic_int *)arg, 1);
	return NULL;
}

int main(void)
{
	atomic_int mine = 0;
	pthread_t t;

	two(parent, NULL, parent, NULL);
	two(asks, NULL, answers, NULL);
	pthread_create(&t, NULL, late, &mine);
	puts("ok");
	pthread_detach(t);
	while (!mine)
		;
	return 0;
}
