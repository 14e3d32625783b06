/* SPDX-License-Identifier: ISC */
/*
 * The process ends with main, or with exit(), even if other threads wait: none of them is
 * deadlocked. Without either, once main has called pthread_exit(), they are.
 *
 * options --executions 2000 --time 30
 * verdict sc ok -- --strategy graph
 * verdict tso ok -- --strategy graph --equivalence rf
 * verdict pso ok -- --strategy graph
 * verdict ra ok -- --strategy graph --equivalence rf
 * verdict rc11 ok -- --strategy graph
 * verdict tso ok -- --strategy rf
 * verdict ra ok -- --strategy random
 * verdict rc11 ok -- --strategy random
 * verdict sc ok -- --strategy random
 * verdict tso ok -- --strategy pct
 * verdict pso ok -- --strategy dfs
 * verdict -DNO_END sc deadlock -- --strategy graph
 * verdict -DNO_END tso deadlock -- --strategy dfs
 * verdict -DNO_END rc11 deadlock -- --strategy graph
 * verdict -DNO_END ra deadlock -- --strategy random
 * verdict -DNO_END sc deadlock -- --strategy rf
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t idle;
static sem_t sem;
static atomic_int turns;
atomic_int flag;

static void *waits(void *kind)
{
	turns++;
	switch ((long)kind) {
	case 0:
		pthread_mutex_lock(&m);
		while (!flag)
			pthread_cond_wait(&c, &m);
		break;
	case 1: sem_wait(&sem); break;
	case 2: pthread_rwlock_wrlock(&rw); break;
	case 3: pthread_barrier_wait(&barrier); break;
	case 4: pthread_mutex_lock(&held); break;
	case 5: pthread_join(idle, NULL); break;
	case 6:
		while (!flag)
			;
		break;
	}
	return NULL;
}

/* Takes a lock that is never released, and creates a thread that waits for it, or for another thread. */
static void *creates(void *kind)
{
	pthread_t t;

	pthread_mutex_lock(&held);
	pthread_rwlock_rdlock(&rw);
	pthread_create(&t, NULL, waits, kind);
	if ((long)kind % 2)
		pthread_detach(t);
	turns++; /* several executions end alike */
	return NULL;
}

static void *exits(void *arg)
{
	turns++;
	exit((int)(long)arg);
}

int main(void)
{
	long kind = heddle_choose(7), way = heddle_choose(3);
	pthread_t t;

	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	pthread_create(&idle, NULL, waits, (void *)1L);
	pthread_create(&t, NULL, creates, (void *)kind);
	pthread_join(t, NULL);
#ifdef NO_END
	pthread_exit(NULL);
#endif
	if (way == 0)
		return 0;
	if (way == 1)
		exit(0);
	pthread_create(&t, NULL, exits, NULL);
	sem_wait(&sem);
	return 1;
}
