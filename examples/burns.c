/* SPDX-License-Identifier: ISC */
/* Burns's algorithm - mutual exclusion with one bit a thread (1981); here for two threads.
 *
 * The first thread raises its bit and waits for the other's to go down. The second gives way:
 * whenever it sees the first one's bit it lowers its own and retries. With one bit each, all
 * depends on the order "raise mine, then read yours": a store-load fence in each thread
 * (-DFENCED).
 *
 * The second thread gives up after a few tries, so that every execution ends.
 *
 * verdict            sc   ok
 * verdict            tso  assertion reorder
 * verdict            pso  assertion reorder
 * verdict  -DFENCED  tso  ok
 * verdict  -DFENCED  pso  ok
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2 /* how often each thread enters */
#endif

#if defined(FENCED) || defined(FENCED_PSO)
#define STORE_LOAD_FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define STORE_LOAD_FENCE() ((void)0)
#endif

/* Loads are never reordered with each other here; a plain x86 or SPARC load is an acquire. */
#define get(p)	       atomic_load_explicit(p, memory_order_acquire)
#define set(p, v)      atomic_store_explicit(p, v, memory_order_relaxed)
#define set_last(p, v) atomic_store_explicit(p, v, memory_order_release)

#define TRIES 3

static atomic_int bit[2];
static int entered[2];
/* What the lock protects. Not an atomic increment: that would wait for the store buffer, and so
 * repair the very thing it is to watch. Two threads inside at once lose an update. */
static int counter;

static void critical_section(void)
{
	int seen = counter;

	counter = seen + 1;
}

static void *first(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		set(&bit[0], 1);
		STORE_LOAD_FENCE();
		while (get(&bit[1]))
			;
		critical_section();
		entered[0]++;
		set_last(&bit[0], 0);
	}
	return arg;
}

static int second_lock(void)
{
	for (int i = 0; i < TRIES; i++) {
		set(&bit[1], 0);
		if (get(&bit[0]))
			continue;
		set(&bit[1], 1);
		STORE_LOAD_FENCE();
		if (!get(&bit[0]))
			return 1;
	}
	set(&bit[1], 0);
	return 0;
}

static void *second(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (!second_lock())
			continue;
		critical_section();
		entered[1]++;
		set_last(&bit[1], 0);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == entered[0] + entered[1]);
	return 0;
}
