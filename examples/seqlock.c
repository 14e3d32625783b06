/* SPDX-License-Identifier: ISC */
/* Sequence lock - readers do not write; they read twice and retry if a writer was active.
 *
 * The writer makes the sequence number odd, writes the data, and makes it even again. A reader that
 * finds the same even number before and after has seen data that belong together. This rests on two
 * orders of stores: the odd number before the data, the data before the even number.
 *
 * With -DBUG all the writer's stores are relaxed. TSO keeps them in order anyway. Under PSO half of
 * the data may reach memory before the odd number, or after the even one, and a reader accepts two
 * halves of different age.
 *
 * verdict         sc   ok
 * verdict         tso  ok
 * verdict         pso  ok
 * verdict  -DBUG  tso  ok
 * verdict  -DBUG  pso  assertion reorder
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define TRIES 3

static atomic_uint sequence;
static atomic_int left, right; /* always equal for a correct reader */

static void publish(int value)
{
	unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);

	atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
#ifndef BUG
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&left, value, memory_order_relaxed);
	atomic_store_explicit(&right, value, memory_order_relaxed);
#ifdef BUG
	atomic_store_explicit(&sequence, s + 2, memory_order_relaxed);
#else
	atomic_store_explicit(&sequence, s + 2, memory_order_release);
#endif
}

static bool look(int *l, int *r)
{
	for (int i = 0; i < TRIES; i++) {
		unsigned before = atomic_load_explicit(&sequence, memory_order_acquire), after;

		if (before % 2)
			continue;
		*l = atomic_load_explicit(&left, memory_order_relaxed);
		*r = atomic_load_explicit(&right, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&sequence, memory_order_relaxed);
		if (before == after)
			return true;
	}
	return false;
}

static void *writer(void *arg)
{
	publish(1);
	publish(2);
	return arg;
}

static void *reader(void *arg)
{
	int l, r;

	if (look(&l, &r))
		assert(l == r);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
