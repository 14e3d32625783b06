/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: tso pso; graph: tso pso rc11; reorder: yes; options: --sleepers last */
/* Store buffering beside a thread that works and sleeps. Time need not pass for the failure, but
 * the cleaner reads the clock: on store buffers that is not a step. */
#include <unistd.h>
#include "../clean/two.h"

static atomic_int stop, work, x, y;
static int a, b;

static void *clean(void *arg)
{
	while (!stop) {
		work++;
		usleep(10);
	}
	return arg;
}

static void *first(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *second(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t cleaner;

	pthread_create(&cleaner, NULL, clean, NULL);
	two(first, NULL, second, NULL);
	assert(a || b);
	stop = 1;
	pthread_join(cleaner, NULL);
	return 0;
}
