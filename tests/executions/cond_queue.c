/* SPDX-License-Identifier: ISC */
/* A queue with room for one, a mutex and two conditions: ITEMS go from a producer to a consumer.
 * For one, the consumer is late, or waits: 2. Each of them may wait or not at each item; more of
 * them by brute force over the orders of operations. -DTWO: two consumers of one item each.
 *
 * counts -DITEMS=1 sc,tso,pso,ra,rc11 1
 * counts -DITEMS=2 sc,tso,pso,ra,rc11 1
 * counts -DITEMS=3 sc,tso,pso,ra,rc11 1
 * counts -DITEMS=2 -DTWO sc,tso,pso,ra,rc11 2
 * counts-unreduced -DITEMS=1 sc,tso,pso,ra,rc11 2
 * counts-unreduced -DITEMS=2 sc,tso,pso,ra,rc11 8
 * counts-unreduced -DITEMS=3 sc,tso,pso,ra,rc11 32
 * counts-unreduced -DITEMS=2 -DTWO sc,tso,pso,ra,rc11 32
 */
#include "counts.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int full, slot, sum;

static void put(int value)
{
	pthread_mutex_lock(&mutex);
	while (full)
		pthread_cond_wait(&emptied, &mutex);
	slot = value;
	full = 1;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&mutex);
}

static void get(void)
{
	pthread_mutex_lock(&mutex);
	while (!full)
		pthread_cond_wait(&filled, &mutex);
	sum += slot;
	full = 0;
	pthread_cond_signal(&emptied);
	pthread_mutex_unlock(&mutex);
}

THREAD(producer)
{
	for (int i = 1; i <= ITEMS; i++)
		put(i);
	return NULL;
}

THREAD(consumer)
{
	int n = ITEMS;

#ifdef TWO
	n /= 2;
#endif
	for (int i = 0; i < n; i++)
		get();
	return NULL;
}

int main(void)
{
	start(producer, 0);
	start(consumer, 0);
#ifdef TWO
	start(consumer, 1);
#endif
	join_all(NULL);
	assert(sum == ITEMS * (ITEMS + 1) / 2);
	return 0;
}
