/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; */
/* Plain data under a mutex, a read-write lock and a semaphore. */
#include "two.h"

#include <semaphore.h>

static int counter, table, box;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t full;

static void *producer(void *arg)
{
	pthread_mutex_lock(&mutex);
	counter++;
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	table = 1;
	pthread_rwlock_unlock(&rwlock);
	box = 7;
	sem_post(&full);
	return arg;
}

static void *consumer(void *arg)
{
	int seen;

	pthread_mutex_lock(&mutex);
	counter++;
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_rdlock(&rwlock);
	seen = table;
	pthread_rwlock_unlock(&rwlock);
	assert(seen == 0 || seen == 1);
	sem_wait(&full);
	assert(box == 7);
	return arg;
}

int main(void)
{
	sem_init(&full, 0, 0);
	two(producer, NULL, consumer, NULL);
	printf("%d %d %d\n", counter, table, box);
	return 0;
}
