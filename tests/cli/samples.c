/* SPDX-License-Identifier: ISC */
/* samples.c - for t_samples.sh: a store has to fall between two loads, among a hundred other steps.
 * RIGHT: nothing fails. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own, shared;

static void work(void)
{
	for (int i = 0; i < 50; i++)
		atomic_fetch_add(&own, 1);
}

static void *store(void *unused)
{
	atomic_store(&shared, 1);
	return unused;
}

static void *load_twice(void *unused)
{
	int first, second;

	work();
	first = atomic_load(&shared);
	second = atomic_load(&shared);
	work();
#ifdef RIGHT
	assert(first <= second);
#else
	assert(first == second);
#endif
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, load_twice, NULL);
	pthread_create(&b, NULL, store, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
