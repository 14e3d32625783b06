/* SPDX-License-Identifier: ISC */
/* A timed wait ends by the signal or by its time; both leave the mutex held, and time has
 * passed. */
#include <errno.h>
#include <time.h>
#include "two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready;

static bool before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void *waiter(void *arg)
{
	struct timespec deadline, now;
	int error = 0;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_nsec += 1000000;
	if (deadline.tv_nsec >= 1000000000)
		deadline.tv_sec++, deadline.tv_nsec -= 1000000000;
	pthread_mutex_lock(&m);
	while (!ready && !error)
		error = pthread_cond_timedwait(&c, &m, &deadline);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	pthread_mutex_unlock(&m);
	clock_gettime(CLOCK_REALTIME, &now);
	assert(error == 0 || (error == ETIMEDOUT && !before(&now, &deadline)));
	return arg;
}

static void *signaller(void *arg)
{
	pthread_mutex_lock(&m);
	ready = true;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(waiter, NULL, signaller, NULL);
	puts("ok");
	return 0;
}
