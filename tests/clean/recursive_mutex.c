/* SPDX-License-Identifier: ISC */
/* A recursive mutex: its owner locks it again, others wait until it is unlocked as often. */
#define _GNU_SOURCE
#include <errno.h>
#include "two.h"

static pthread_mutex_t m, from_static = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int counter;

static void add(int depth)
{
	pthread_mutex_lock(&m);
	counter++;
	if (depth)
		add(depth - 1);
	pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	int before;

	pthread_mutex_lock(&m);
	before = counter;
	add(1);
	assert(counter == before + 2);
	assert(pthread_mutex_trylock(&m) == 0);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	assert(pthread_mutex_unlock(&m) == EPERM);
	two(worker, NULL, worker, NULL);
	assert(counter == 4);
	assert(!pthread_mutex_lock(&from_static) && !pthread_mutex_lock(&from_static));
	assert(!pthread_mutex_unlock(&from_static) && !pthread_mutex_unlock(&from_static));
	assert(!pthread_mutex_destroy(&m) && !pthread_mutex_destroy(&from_static));
	puts("ok");
	return 0;
}
