/* SPDX-License-Identifier: ISC */
/* MCS lock (Mellor-Crummey, Scott) - a queue of waiters, each spins on a flag of its own.
 *
 * A thread appends its node with an exchange, gives its predecessor the address, and waits for its
 * own flag to go down. The flag must go up before the predecessor can take it down.
 *
 * With -DBUG the flag is raised late, just before the node is linked, by relaxed stores: "it is my
 * own node, after all". TSO keeps the two stores in order. Under PSO the link may reach memory
 * first: the predecessor takes down a flag that is not up yet, then the flag goes up, and the
 * thread waits for ever. Heddle reports that as a livelock.
 *
 * verdict         sc   ok
 * verdict         tso  ok
 * verdict         pso  ok
 * verdict  -DBUG  sc   ok
 * verdict  -DBUG  tso  ok
 * verdict  -DBUG  pso  livelock reorder
 * report   -DBUG  pso  @raise @link
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

#ifdef BUG
#define LINK_ORDER memory_order_relaxed
#else
#define LINK_ORDER memory_order_release
#endif

struct node {
	_Atomic(struct node *) next;
	atomic_bool waiting;
};

static _Atomic(struct node *) tail;
static int counter;

static void mcs_lock(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
#ifndef BUG
	atomic_store_explicit(&me->waiting, true, memory_order_relaxed);
#endif
	before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
	if (!before)
		return;
#ifdef BUG
	atomic_store_explicit(&me->waiting, true, memory_order_relaxed); /* @raise */
#endif
	atomic_store_explicit(&before->next, me, LINK_ORDER); /* @link */
	while (atomic_load_explicit(&me->waiting, memory_order_acquire))
		;
}

static void mcs_unlock(struct node *me)
{
	struct node *after = atomic_load_explicit(&me->next, memory_order_acquire);

	if (!after) {
		struct node *expected = me;

		if (atomic_compare_exchange_strong_explicit(
			    &tail, &expected, NULL, memory_order_release, memory_order_relaxed))
			return;
		while (!(after = atomic_load_explicit(&me->next, memory_order_acquire)))
			;
	}
	atomic_store_explicit(&after->waiting, false, memory_order_release);
}

static void *worker(void *arg)
{
	struct node *me = arg;

	for (int i = 0; i < ROUNDS; i++) {
		int seen;

		mcs_lock(me);
		seen = counter;
		counter = seen + 1;
		mcs_unlock(me);
	}
	return arg;
}

int main(void)
{
	static struct node nodes[2];
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &nodes[0]);
	pthread_create(&b, NULL, worker, &nodes[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2 * ROUNDS);
	return 0;
}
