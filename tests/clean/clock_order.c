/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; random: tso; */
/* Clocks do not go back from one thread to the next, whatever orders them: creation and join, a
 * mutex, a release and an acquire; a thread may read one several times, or sleep. */
#include <time.h>
#include <unistd.h>
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long begun, logged, sent;
static atomic_int ready;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void log_time(void)
{
	pthread_mutex_lock(&lock);
	assert(now() >= logged);
	now();
	logged = now();
	pthread_mutex_unlock(&lock);
}

static void *send(void *arg)
{
	assert(now() >= begun);
	for (int i = 0; i < 3; i++)
		sent = now();
	log_time();
	usleep(1000);
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}

static void *receive(void *arg)
{
	log_time();
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	assert(now() >= sent + 1000000);
	return arg;
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		begun = now();
	two(send, NULL, receive, NULL);
	assert(now() >= logged);
	return 0;
}
