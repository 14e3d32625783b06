/* SPDX-License-Identifier: ISC */
/* POSIX semaphores: as a lock, as a signal; trywait, timedwait, getvalue. */
#include <errno.h>
#include <semaphore.h>
#include <time.h>
#include "two.h"

static sem_t mutex, items;
static int counter;

static void *producer(void *arg)
{
	sem_wait(&mutex);
	counter++;
	sem_post(&mutex);
	sem_post(&items);
	return arg;
}

static void *consumer(void *arg)
{
	struct timespec late = {4000000000, 0};
	int taken = sem_trywait(&items);

	assert(taken == 0 || errno == EAGAIN);
	if (taken && sem_timedwait(&items, &late) < 0) {
		assert(errno == ETIMEDOUT);
		assert(sem_wait(&items) == 0);
	}
	sem_wait(&mutex);
	assert(counter == 1);
	sem_post(&mutex);
	return arg;
}

int main(void)
{
	int value;

	assert(sem_init(&mutex, 0, 1) == 0 && sem_init(&items, 0, 0) == 0);
	two(producer, NULL, consumer, NULL);
	assert(sem_getvalue(&mutex, &value) == 0 && value == 1);
	assert(sem_getvalue(&items, &value) == 0 && value == 0);
	assert(sem_destroy(&mutex) == 0 && sem_destroy(&items) == 0);
	puts("ok");
	return 0;
}
