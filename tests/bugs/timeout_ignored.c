/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* The result of pthread_cond_timedwait() is ignored: after a time-out there is no message. */
#include <time.h>
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int message;

static void *receiver(void *arg)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec += 60;
	pthread_mutex_lock(&m);
	if (!message)
		pthread_cond_timedwait(&c, &m, &at);
	assert(message == 7);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *sender(void *arg)
{
	pthread_mutex_lock(&m);
	message = 7;
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&c);
	return arg;
}

int main(void)
{
	two(receiver, NULL, sender, NULL);
	return 0;
}
