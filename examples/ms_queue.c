/* SPDX-License-Identifier: ISC */
/* Michael and Scott's queue (1996): two producers and one consumer.
 *
 * A linked list with a dummy node in front. Enqueue links a node behind the last one with a
 * compare-and-exchange, then moves the tail; all threads help to move a tail that lags behind.
 * Every write that others can see is a compare-and-exchange, which waits for the store buffer:
 * under TSO and PSO the queue needs no fence at all.
 *
 * Code around a queue may. With -DSLEEP a consumer that finds the queue empty notes that it sleeps,
 * checks once more, and waits for a semaphore; a producer that sees the note wakes it. The note
 * must be in memory before the second check. With -DBUG there is no fence between them: the
 * consumer finds no item, and sleeps, while its note reaches memory too late for both producers. It
 * is never woken: a lost wake-up, reported as a deadlock. It fails on every x86.
 *
 * verdict                 sc   ok
 * verdict                 tso  ok
 * verdict                 pso  ok
 * verdict  -DSLEEP        tso  ok
 * verdict  -DSLEEP        pso  ok
 * verdict  -DSLEEP -DBUG  sc   ok
 * verdict  -DSLEEP -DBUG  tso  deadlock reorder
 * verdict  -DSLEEP -DBUG  pso  deadlock reorder
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
	_Atomic(struct node *) next;
	int value;
};

static struct node dummy;
static _Atomic(struct node *) head = &dummy, tail = &dummy;
static int got[2], taken;

#ifdef SLEEP
static atomic_bool asleep;
static sem_t wake;
#endif

static void enqueue(struct node *n, int value)
{
	n->value = value;
	atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
	for (;;) {
		struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&t->next, memory_order_acquire);

		if (next) {
			atomic_compare_exchange_strong_explicit(
				&tail, &t, next, memory_order_release, memory_order_relaxed);
			continue;
		}
		if (atomic_compare_exchange_strong_explicit(
			    &t->next, &next, n, memory_order_release, memory_order_relaxed)) {
			atomic_compare_exchange_strong_explicit(
				&tail, &t, n, memory_order_release, memory_order_relaxed);
			return;
		}
	}
}

static bool dequeue(int *value)
{
	for (;;) {
		struct node *h = atomic_load_explicit(&head, memory_order_acquire);
		struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
		struct node *next = atomic_load_explicit(&h->next, memory_order_acquire);

		if (h == t) {
			if (!next)
				return false;
			atomic_compare_exchange_strong_explicit(
				&tail, &t, next, memory_order_release, memory_order_relaxed);
			continue;
		}
		*value = next->value;
		if (atomic_compare_exchange_strong_explicit(
			    &head, &h, next, memory_order_acq_rel, memory_order_relaxed))
			return true;
	}
}

static void *producer(void *arg)
{
	static struct node nodes[2];
	int id = *(int *)arg;

	enqueue(&nodes[id], id + 1);
#ifdef SLEEP
	if (atomic_exchange_explicit(&asleep, false, memory_order_acq_rel))
		sem_post(&wake);
#endif
	return arg;
}

static void *consumer(void *arg)
{
#ifdef SLEEP
	while (taken < 2) {
		if (dequeue(&got[taken])) {
			taken++;
			continue;
		}
		atomic_store_explicit(&asleep, true, memory_order_release); /* @note */
#ifndef BUG
		atomic_thread_fence(memory_order_seq_cst);
#endif
		if (dequeue(&got[taken])) /* @look */
			taken++;
		else
			sem_wait(&wake);
	}
#else
	for (int i = 0; i < 2; i++)
		if (dequeue(&got[taken]))
			taken++;
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b, c;
	int zero = 0, one = 1;

#ifdef SLEEP
	sem_init(&wake, 0, 0);
#endif
	pthread_create(&a, NULL, producer, &zero);
	pthread_create(&b, NULL, producer, &one);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	while (taken < 2 && dequeue(&got[taken]))
		taken++;
	assert(taken == 2 && got[0] + got[1] == 3);
	return 0;
}
