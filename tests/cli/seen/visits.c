/* SPDX-License-Identifier: ISC */
/* visits.c - for t_seen.sh: each of two threads says that it is here and looks for the other one. Without a fence a store
 * may wait in its buffer while the load passes it, and neither sees the other. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int arrived, here[2];
static int saw[2];

/* Until both threads have come, for the n-th time. */
static void meet(int n)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < 2 * n)
		sched_yield();
}

static void *visit(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < ROUNDS; i++) {
		meet(3 * i + 1);
		atomic_store_explicit(&here[me], 1, memory_order_relaxed);
		saw[me] = atomic_load_explicit(&here[!me], memory_order_relaxed);
		meet(3 * i + 2);
		assert(saw[0] || saw[1]);
		atomic_store_explicit(&here[me], 0, memory_order_relaxed);
		meet(3 * i + 3);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int zero = 0, one = 1;

	pthread_create(&a, NULL, visit, &zero);
	pthread_create(&b, NULL, visit, &one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
