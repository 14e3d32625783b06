/* SPDX-License-Identifier: ISC */
/* Peterson's algorithm - mutual exclusion for two threads in four lines (1981).
 *
 * A thread raises its flag, makes itself the victim, and waits while the other's flag is up and
 * it is still the victim. The load of the other's flag may overtake the stores before it: both
 * threads see no flag and enter.
 *
 * A store-load fence before the wait repairs it for TSO (-DFENCED). Under PSO that is not enough:
 * `victim` may reach memory before the flag. The other thread then makes itself the victim, finds
 * no flag and enters; and we, no longer the victim, enter as well. A store-store fence between the
 * two stores keeps them in order (-DFENCED_PSO).
 *
 * verdict                sc   ok
 * verdict                tso  assertion reorder
 * verdict                pso  assertion reorder
 * verdict  -DFENCED      tso  ok
 * verdict  -DFENCED      pso  assertion reorder
 * verdict  -DFENCED_PSO  pso  ok
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
#ifdef FENCED_PSO
#define STORE_STORE_FENCE() atomic_thread_fence(memory_order_release)
#else
#define STORE_STORE_FENCE() ((void)0)
#endif

/* Loads are never reordered with each other here; a plain x86 or SPARC load is an acquire. */
#define get(p)	       atomic_load_explicit(p, memory_order_acquire)
#define set(p, v)      atomic_store_explicit(p, v, memory_order_relaxed)
#define set_last(p, v) atomic_store_explicit(p, v, memory_order_release)

/* Not static: clang 14 would take `victim`, used in one function only, for a local variable. */
atomic_int wants[2], victim;
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
	set(&wants[me], 1);
	STORE_STORE_FENCE();
	set(&victim, me);
	STORE_LOAD_FENCE();
	while (get(&wants[1 - me]) && get(&victim) == me)
		;
}

static void unlock(int me)
{
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
