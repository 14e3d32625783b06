/* SPDX-License-Identifier: ISC */
/* verdict            sc    ok
 * verdict            tso   deadlock reorder
 * verdict            pso   deadlock reorder
 * verdict            rc11  deadlock reorder -- --strategy graph
 * verdict            rc11  deadlock reorder -- --strategy pctwm
 * verdict  -DFENCED  tso   ok
 * verdict  -DFENCED  pso   ok
 * verdict  -DFENCED  rc11  ok -- --strategy graph
 * report             tso   "T1: waits on condition unparked; no thread has woken it" "atomic_thread_fence(memory_order_seq_cst) after" @take
 *
 * Parking a thread, as in a Java runtime: a thread that finds a permit takes it and returns at
 * once; its store of `permit` may still be in the store buffer while it reads the condition again.
 * The other thread then sees the old permit, does not signal, and its own store is overwritten: the
 * first thread is never woken. A fence after that store repairs it. D. Dice, 2009; one of the
 * programs of Porthos.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int permit = 1, condition; /* a permit that is still available */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unparked = PTHREAD_COND_INITIALIZER;

#define get(p)	  atomic_load_explicit(p, memory_order_relaxed)
#define set(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static void park(void)
{
	if (get(&permit)) {
		set(&permit, 0); /* @take */
#ifdef FENCED
		atomic_thread_fence(memory_order_seq_cst);
#endif
		return;
	}
	pthread_mutex_lock(&mutex);
	while (!get(&permit))
		pthread_cond_wait(&unparked, &mutex);
	set(&permit, 0);
	pthread_mutex_unlock(&mutex);
}

static void unpark(void)
{
	int was;

	pthread_mutex_lock(&mutex);
	was = get(&permit);
	set(&permit, 1);
	pthread_mutex_unlock(&mutex);
	if (!was)
		pthread_cond_signal(&unparked);
}

static void *waiter(void *arg)
{
	while (!get(&condition))
		park();
	return arg;
}

static void *waker(void *arg)
{
	set(&condition, 1);
#ifdef FENCED
	atomic_thread_fence(memory_order_seq_cst); /* rc11: a lock is none */
#endif
	unpark();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, waker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
