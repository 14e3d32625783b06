/* SPDX-License-Identifier: ISC */
/* pieces.c - N threads count, N! executions; with an argument, one of them ends in a failed assertion.
 * -DLOST: not atomically, (N!)^2 executions, (N + 1)^(N - 1) by reads-from. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static atomic_int x, failing;

static void *count(void *arg)
{
#ifdef LOST
	int order = atomic_load_explicit(&x, memory_order_relaxed);

	atomic_store_explicit(&x, order + 1, memory_order_relaxed);
#else
	int order = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#endif

	if (failing)
		assert((long)arg != 0 || order != N - 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[N];

	failing = argc > 1;
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, count, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
