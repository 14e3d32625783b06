/* SPDX-License-Identifier: ISC */
/* ring.c - for t_seen.sh: a ring whose consumer sleeps when it is empty. Without a fence the producer may read `asleep'
 * before its item is visible, and the consumer the ring before it is known to be asleep: it sleeps for ever. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#define SIZE 4

static int item[SIZE];
static atomic_int head, tail, asleep;
static sem_t wake;

static void put(int value)
{
	int h = atomic_load_explicit(&head, memory_order_relaxed);

	item[h % SIZE] = value;
	atomic_store_explicit(&head, h + 1, memory_order_release);
	if (atomic_load_explicit(&asleep, memory_order_relaxed))
		sem_post(&wake);
}

static int is_empty(int t)
{
	return atomic_load_explicit(&head, memory_order_acquire) == t;
}

static int take(void)
{
	int t = atomic_load_explicit(&tail, memory_order_relaxed), value;

	while (is_empty(t)) {
		atomic_store_explicit(&asleep, 1, memory_order_relaxed);
		if (is_empty(t))
			sem_wait(&wake);
		atomic_store_explicit(&asleep, 0, memory_order_relaxed);
	}
	value = item[t % SIZE];
	atomic_store_explicit(&tail, t + 1, memory_order_release);
	return value;
}

static void *consume(void *arg)
{
	for (int i = 1; i <= ROUNDS; i++)
		assert(take() == i);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&wake, 0, 0);
	pthread_create(&t, NULL, consume, NULL);
	for (int i = 1; i <= ROUNDS; i++) {
		put(i);
		while (atomic_load_explicit(&tail, memory_order_acquire) < i)
			sched_yield();
	}
	pthread_join(t, NULL);
	return 0;
}
