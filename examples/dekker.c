/* SPDX-License-Identifier: ISC */
/* Dekker's algorithm - the first mutual exclusion for two threads (about 1962).
 *
 * A thread that wants to enter says so, then reads whether the other wants to as well. If both do,
 * the one without the turn withdraws and waits. It is the store-buffering pattern again: "say so"
 * is a store, "read" is a load, and the load may overtake the store, so both threads enter.
 *
 * Each of the two places where a thread says that it wants to enter needs a store-load fence: four
 * in all, counting both threads (-DFENCED). Stores may then overtake stores (PSO) without harm.
 * Without them one thread may also give the turn to the other one after that has ended, and wait
 * for it for ever.
 *
 * verdict            sc   ok
 * verdict            tso  assertion,livelock reorder
 * verdict            tso  assertion reorder -- --detect=-livelock
 * verdict            pso  assertion,livelock reorder
 * verdict            pso  assertion reorder -- --detect=-livelock
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

static atomic_int wants[2], turn;
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

	set(&wants[me], 1);
	STORE_LOAD_FENCE();
	while (get(&wants[other])) {
		if (get(&turn) != me) {
			set(&wants[me], 0);
			while (get(&turn) != me)
				;
			set(&wants[me], 1);
			STORE_LOAD_FENCE();
		}
	}
}

static void unlock(int me)
{
	set(&turn, 1 - me);
	set_last(&wants[me], 0);
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
