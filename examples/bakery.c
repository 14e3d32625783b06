/* SPDX-License-Identifier: ISC */
/* Lamport's bakery - take a number, the lowest is served (1974); here for two threads.
 *
 * Taking a number is reading the other's and adding one; `choosing` is set meanwhile, so that no
 * thread compares numbers too early. Then wait until the other is not choosing and has no lower
 * number.
 *
 * Both loads need the earlier stores in memory: a store-load fence after `choosing = 1` and one
 * after `choosing = 0` (-DFENCED). Under PSO `choosing = 0` may also overtake the number itself:
 * the other thread sees neither and enters. A store-store fence between them (-DFENCED_PSO).
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

static atomic_int choosing[2], number[2];
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
	int other = 1 - me, mine, theirs;

	set(&choosing[me], 1);
	STORE_LOAD_FENCE();
	mine = get(&number[other]) + 1;
	set(&number[me], mine);
	STORE_STORE_FENCE();
	set(&choosing[me], 0);
	STORE_LOAD_FENCE();
	while (get(&choosing[other]))
		;
	do
		theirs = get(&number[other]);
	while (theirs != 0 && (theirs < mine || (theirs == mine && other < me)));
}

static void unlock(int me)
{
	set_last(&number[me], 0);
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
