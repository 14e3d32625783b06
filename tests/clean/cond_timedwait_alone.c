/* SPDX-License-Identifier: ISC */
/* Without a signal: a timed wait ends by itself, with every clock; bad and past deadlines at once. */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

/* A spurious wake-up is allowed: wait again. */
static int wait_until(clockid_t clock, long ms)
{
	struct timespec at;
	int error;

	clock_gettime(clock, &at);
	at.tv_nsec += ms * 1000000;
	at.tv_sec += at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	do {
		error = pthread_cond_clockwait(&c, &m, clock, &at);
	} while (!error);
	return error;
}

int main(void)
{
	struct timespec bad = {0, 1000000000}, past = {1, 0};
	pthread_condattr_t attr;
	pthread_cond_t monotonic;

	pthread_mutex_lock(&m);
	assert(wait_until(CLOCK_REALTIME, 5) == ETIMEDOUT);
	assert(wait_until(CLOCK_MONOTONIC, 5) == ETIMEDOUT);
	assert(pthread_cond_timedwait(&c, &m, &bad) == EINVAL);
	assert(pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&monotonic, &attr);
	clock_gettime(CLOCK_MONOTONIC, &past);
	assert(pthread_cond_timedwait(&monotonic, &m, &past) == ETIMEDOUT);
	pthread_mutex_unlock(&m);
	assert(!pthread_cond_destroy(&monotonic) && !pthread_cond_destroy(&c));
	puts("ok");
	return 0;
}
