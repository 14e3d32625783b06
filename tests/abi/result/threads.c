/* SPDX-License-Identifier: ISC */
/*
 * threads.c - real threads on shared data: locks made of atomics must still lock.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS	2000

static atomic_flag spin = ATOMIC_FLAG_INIT;
static atomic_uint next, serving;
static atomic_long total;
static _Atomic(struct { long a, b; }) pair;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long under_spin, under_ticket, under_mutex, under_cas, initialised;
static int cas_lock;
static _Thread_local long mine;

static void initialise(void)
{
	initialised++;
}

static void *work(void *arg)
{
	long result = 0;
	unsigned ticket;
	int zero;

	pthread_once(&once, initialise);
	for (int i = 0; i < ROUNDS; i++) {
		while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire))
			;
		under_spin++;
		atomic_flag_clear_explicit(&spin, memory_order_release);
		ticket = atomic_fetch_add(&next, 1);
		while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
			;
		under_ticket++;
		atomic_store_explicit(&serving, ticket + 1, memory_order_release);
		pthread_mutex_lock(&mutex);
		under_mutex++;
		pthread_mutex_unlock(&mutex);
		do
			zero = 0;
		while (!__atomic_compare_exchange_n(
			&cas_lock, &zero, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
		under_cas++;
		__atomic_store_n(&cas_lock, 0, __ATOMIC_RELEASE);
		atomic_fetch_add_explicit(&total, (long)arg, memory_order_relaxed);
		mine++;
	}
	result = mine;
	return (void *)result;
}

int main(void)
{
	pthread_t thread[THREADS];
	void *result;
	long sum = 0;

	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &result);
		sum += (long)result;
	}
	printf("%ld %ld %ld %ld %ld %ld %ld\n", under_spin, under_ticket, under_mutex, under_cas,
		initialised, atomic_load(&total), sum);
	return 0;
}
