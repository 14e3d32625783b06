/* SPDX-License-Identifier: ISC */
/* Dijkstra's algorithm - the first mutual exclusion for any number of threads (1965); here two.
 *
 * flag 1: I would like to; flag 2: I am about to. A thread takes the turn when its owner does not
 * want it, goes to 2, and starts again if the other one is at 2 as well.
 *
 * `flag = 2` followed by the load of the other's flag is store buffering: one store-load fence
 * there, in each thread (-DFENCED). That is all, under PSO too.
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

static atomic_int flag[2], turn;
/* What the lock protects. Not an atomic increment: that would wait for the store buffer, and so
 * repair the very thing it is to watch. Two threads inside at once lose an update. */
static int counter;

static void critical_section(void)
{
	int seen = counter;

	counter = seen + 1;
}

static void lock(int me)
{
	int other = 1 - me;

	do {
		set(&flag[me], 1);
		while (get(&turn) != me)
			if (get(&flag[other]) == 0)
				set(&turn, me);
		set(&flag[me], 2);
		STORE_LOAD_FENCE();
	} while (get(&flag[other]) == 2);
}

static void unlock(int me)
{
	set_last(&flag[me], 0);
}

static void *worker(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < ROUNDS; i++) {
		lock(me);
		critical_section();
		unlock(me);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int zero = 0, one = 1;

	pthread_create(&a, NULL, worker, &zero);
	pthread_create(&b, NULL, worker, &one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2 * ROUNDS);
	return 0;
}
