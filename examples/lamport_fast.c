/* SPDX-License-Identifier: ISC */
/* Lamport's fast mutex - seven accesses when no other thread wants to enter (1987).
 *
 * A thread signs x, reads y, the gate, signs y, and reads whether x is still its own. If so, it is
 * alone and enters at once. If not, it waits until the others have decided (their flags b are down)
 * and enters if y is still its own.
 *
 * Both loads must come after the signature before them: a store-load fence after `x = me` and one
 * after `y = me`, in each thread (-DFENCED). Under PSO there is one more way to fail, when leaving:
 * `b = 0` may reach memory before `y = 0`. A waiting thread sees the flag go down, still finds its
 * own name in y, enters, and then the old `y = 0` opens the gate for another one. A store-store
 * fence between them repairs that (-DFENCED_PSO). It takes two rounds to see.
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

/* Threads are called 1 and 2; 0 is none. Not static: clang 14 would take `x`, which is used in
 * one function only, for a local variable. */
atomic_int b[3], x, y;
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
	int other = 3 - me;

	for (;;) {
		set(&b[me], 1);
		set(&x, me);
		STORE_LOAD_FENCE();
		if (get(&y) != 0) {
			set(&b[me], 0);
			while (get(&y) != 0)
				;
			continue;
		}
		set(&y, me);
		STORE_LOAD_FENCE();
		if (get(&x) == me)
			return;
		set(&b[me], 0);
		while (get(&b[other]))
			;
		if (get(&y) == me)
			return;
		while (get(&y) != 0)
			;
	}
}

static void unlock(int me)
{
	set_last(&y, 0);
	STORE_STORE_FENCE();
	set(&b[me], 0);
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
	int one = 1, two = 2;

	pthread_create(&a, NULL, worker, &one);
	pthread_create(&b, NULL, worker, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2 * ROUNDS);
	return 0;
}
