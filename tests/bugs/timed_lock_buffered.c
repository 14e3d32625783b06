/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* An update is lost while its store is in the buffer; the attempt to lock that follows, with a
 * time-out, drains that. */
#define _GNU_SOURCE
#include <time.h>
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n;

static void lock_in_time(void)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec++;
	if (!pthread_mutex_timedlock(&m, &at))
		pthread_mutex_unlock(&m);
}

static void *load_and_store(void *arg)
{
	int seen = atomic_load_explicit(&n, memory_order_relaxed);

	atomic_store_explicit(&n, seen + 1, memory_order_relaxed);
	lock_in_time();
	return arg;
}

static void *exchange(void *arg)
{
	int seen = atomic_load_explicit(&n, memory_order_relaxed);

	while (!atomic_compare_exchange_strong(&n, &seen, seen + 1)) {
	}
	lock_in_time();
	return arg;
}

int main(void)
{
	two(load_and_store, NULL, exchange, NULL);
	assert(n == 2);
	return 0;
}
