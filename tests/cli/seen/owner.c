/* SPDX-License-Identifier: ISC */
/* owner.c - for t_seen.sh: Peterson's lock without a fence lets both threads in. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int wants[2], victim, owner;

static void lock(int me)
{
	atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
	atomic_store_explicit(&victim, me, memory_order_release);
	while (atomic_load_explicit(&wants[!me], memory_order_acquire) &&
		atomic_load_explicit(&victim, memory_order_acquire) == me)
		sched_yield();
}

static void unlock(int me)
{
	atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *work(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < ROUNDS; i++) {
		lock(me);
		atomic_store_explicit(&owner, me, memory_order_relaxed);
		assert(atomic_load_explicit(&owner, memory_order_relaxed) == me);
		assert(atomic_load_explicit(&owner, memory_order_relaxed) == me);
		unlock(me);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int zero = 0, one = 1;

	pthread_create(&a, NULL, work, &zero);
	pthread_create(&b, NULL, work, &one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
