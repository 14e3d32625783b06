/* SPDX-License-Identifier: ISC */
/* Robust mutexes of each type: EOWNERDEAD when the owner has exited, made consistent or not
 * recoverable, by each way to lock and by a condition. graph: sc tso pso ra rc11; random: tso */
#include <errno.h>
#include <time.h>
#include "two.h"

static pthread_mutex_t m[3];
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const int type[3] = {
	PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
static const struct timespec past = {0, 0}, far = {INT32_MAX, 0};
static int data, ready;

static void make(void)
{
	pthread_mutexattr_t robust;

	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	for (int i = 0; i < 3; i++) {
		pthread_mutexattr_settype(&robust, type[i]);
		assert(!pthread_mutex_init(&m[i], &robust));
		assert(pthread_mutex_consistent(&m[i]) == EINVAL &&
			pthread_mutex_unlock(&m[i]) == EPERM);
	}
	pthread_mutexattr_destroy(&robust);
}

static void *leaves_all(void *arg)
{
	for (int i = 0; i < 3; i++) {
		assert(!pthread_mutex_lock(&m[i]));
		assert(type[i] != PTHREAD_MUTEX_RECURSIVE || !pthread_mutex_lock(&m[i]));
		assert(type[i] != PTHREAD_MUTEX_ERRORCHECK || pthread_mutex_lock(&m[i]) == EDEADLK);
	}
	data++;
	return arg;
}

static void run(void *(*f)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, f, NULL);
	pthread_join(t, NULL);
}

/* Each way to lock notices, once. */
static void *each_way(void *arg)
{
	assert(pthread_mutex_trylock(&m[0]) == EOWNERDEAD &&
		pthread_mutex_timedlock(&m[1], &past) == EOWNERDEAD);
	assert(pthread_mutex_timedlock(&m[2], &far) == EOWNERDEAD);
	data++;
	assert(!pthread_mutex_consistent(&m[0]) && pthread_mutex_consistent(&m[0]) == EINVAL);
	assert(!pthread_mutex_lock(&m[1]) && pthread_mutex_unlock(&m[1]) == ENOTRECOVERABLE);
	assert(!pthread_mutex_consistent(&m[1]));
	for (int i = 0; i < 3; i++)
		assert(!pthread_mutex_unlock(&m[i]));
	return arg;
}

/* A race for the mutex that was left; the second thread finds it as the first one leaves it. */
static void *takes(void *arg)
{
	int r = pthread_mutex_lock(&m[0]);

	assert(!r || r == EOWNERDEAD);
	data++;
	if (r == EOWNERDEAD)
		assert(!pthread_mutex_consistent(&m[0]));
	return arg; /* and leaves it */
}

static void *waits(void *arg)
{
	int r;

	pthread_mutex_lock(&m[1]);
	while (!ready) {
		r = pthread_cond_wait(&c, &m[1]);
		if (r) {
			assert(r == EOWNERDEAD && !pthread_mutex_consistent(&m[1]));
		}
	}
	assert(!pthread_mutex_unlock(&m[1]));
	return arg;
}

static void *signals(void *arg)
{
	pthread_mutex_lock(&m[1]);
	ready = 1;
	pthread_cond_signal(&c);
	return arg; /* and leaves it */
}

int main(void)
{
	make();
	run(leaves_all);
	each_way(NULL);
	two(takes, NULL, takes, NULL);
	assert(pthread_mutex_lock(&m[0]) == EOWNERDEAD && !pthread_mutex_unlock(&m[0]));
	assert(pthread_mutex_lock(&m[0]) == ENOTRECOVERABLE &&
		pthread_mutex_timedlock(&m[0], &past) == ENOTRECOVERABLE);
	assert(pthread_mutex_trylock(&m[0]) == ENOTRECOVERABLE && !pthread_mutex_destroy(&m[0]));
	two(waits, NULL, signals, NULL);
	assert(data == 4);
	puts("ok");
	return 0;
}
