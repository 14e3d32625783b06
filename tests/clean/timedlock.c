/* SPDX-License-Identifier: ISC */
/* A timed lock succeeds, or times out at its deadline; past and invalid ones do not matter if it
 * is free. */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *worker(void *arg)
{
	struct timespec at, now;
	int error;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec++;
	error = pthread_mutex_timedlock(&m, &at);
	if (!error) {
		assert(++inside == 1);
		inside--;
		pthread_mutex_unlock(&m);
		return arg;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	assert(error == ETIMEDOUT && now.tv_sec >= at.tv_sec);
	return arg;
}

static void *plain(void *arg)
{
	pthread_mutex_lock(&m);
	assert(++inside == 1);
	inside--;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	struct timespec past = {1, 0}, bad = {1, -1};

	assert(!pthread_mutex_timedlock(&m, &past) && !pthread_mutex_unlock(&m));
	assert(!pthread_mutex_timedlock(&m, &bad) && pthread_mutex_timedlock(&m, &bad) == EINVAL);
	assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT && !pthread_mutex_unlock(&m));
	assert(!pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past) && !pthread_mutex_unlock(&m));
	two(worker, NULL, plain, NULL);
	puts("ok");
	return 0;
}
