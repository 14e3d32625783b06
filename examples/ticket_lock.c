/* SPDX-License-Identifier: ISC */
/* Ticket lock - draw a number, wait until it is shown.
 *
 * Drawing is an atomic increment, which waits for the store buffer on x86 and SPARC, so entering is
 * safe under TSO and PSO. Leaving is one store, and it must not overtake the accesses inside:
 * release. With -DBUG it is relaxed. On x86 this has no effect. Under PSO the next thread enters
 * while our update of the counter is still in our store buffer, and works on the old value.
 *
 * verdict         sc   ok
 * verdict         tso  ok
 * verdict         pso  ok
 * verdict  -DBUG  tso  ok
 * verdict  -DBUG  pso  assertion reorder
 * report   -DBUG  pso  @update @leave
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

#ifdef BUG
#define LEAVE_ORDER memory_order_relaxed
#else
#define LEAVE_ORDER memory_order_release
#endif

static struct {
	atomic_uint next, serving;
} lock;
static int counter;

static unsigned ticket_lock(void)
{
	unsigned mine = atomic_fetch_add_explicit(&lock.next, 1, memory_order_relaxed);

	while (atomic_load_explicit(&lock.serving, memory_order_acquire) != mine)
		;
	return mine;
}

static void ticket_unlock(unsigned mine)
{
	atomic_store_explicit(&lock.serving, mine + 1, LEAVE_ORDER); /* @leave */
}

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		unsigned mine = ticket_lock();
		int seen = counter;

		counter = seen + 1; /* @update */
		ticket_unlock(mine);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2 * ROUNDS);
	return 0;
}
