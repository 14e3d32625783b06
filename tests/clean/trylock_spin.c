/* SPDX-License-Identifier: ISC */
/* Loops around trylock and trywait that wait for the others end, with and without
 * yield. */
#include <sched.h>
#include <semaphore.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t go;
static int n;

static void *taker(void *arg)
{
	while (pthread_mutex_trylock(&m))
		sched_yield();
	n++;
	pthread_mutex_unlock(&m);
	while (sem_trywait(&go))
		;
	while (pthread_rwlock_tryrdlock(&l))
		sched_yield();
	assert(n == 2);
	pthread_rwlock_unlock(&l);
	return arg;
}

static void *giver(void *arg)
{
	pthread_rwlock_wrlock(&l);
	sem_post(&go);
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	sem_init(&go, 0, 0);
	two(taker, NULL, giver, NULL);
	puts("ok");
	return 0;
}
