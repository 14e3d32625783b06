/* SPDX-License-Identifier: ISC */
/* Read-write lock: readers together, writers alone; try and timed forms; a writer's own relock. */
#include <errno.h>
#include <time.h>
#include "two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	a++;
	assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	assert(pthread_rwlock_rdlock(&lock) == EDEADLK && pthread_rwlock_wrlock(&lock) == EDEADLK);
	b++;
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *reader(void *arg)
{
	struct timespec late = {4000000000, 0};
	int error;

	pthread_rwlock_rdlock(&lock);
	assert(a == b);
	assert(pthread_rwlock_rdlock(&lock) == 0);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	error = pthread_rwlock_timedrdlock(&lock, &late);
	assert(error == 0 || error == ETIMEDOUT);
	if (!error)
		pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	assert(a == 1 && b == 1);
	assert(pthread_rwlock_destroy(&lock) == 0);
	puts("ok");
	return 0;
}
