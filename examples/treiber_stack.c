/* SPDX-License-Identifier: ISC */
/* Treiber's stack (1986) with hazard pointers (Michael, 2004).
 *
 * Push and pop exchange the head if it is unchanged. Pop must read `next` of a node that another
 * thread may pop and free at any moment; so it first announces "I am reading this node" in its
 * hazard pointer, then checks that the node is still the head. A thread that wants to free a node
 * checks whether any thread has announced it.
 *
 * Announce, then check: a store, then a load, and it is store buffering again. Publishing the
 * hazard pointer needs a full fence. With -DBUG it is only a release store, as one is tempted to
 * write. The announcement then sits in the store buffer while the other thread pops the node, finds
 * no announcement, and frees it in use. This fails on every x86.
 *
 * Instead of calling free() the program takes down the node's `alive` flag, so that the harm shows.
 *
 * verdict         sc   ok
 * verdict         tso  ok
 * verdict         pso  ok
 * verdict  -DBUG  sc   ok
 * verdict  -DBUG  tso  assertion reorder
 * verdict  -DBUG  pso  assertion reorder
 * report   -DBUG  tso  @announce @check
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
	struct node *next;
	atomic_bool alive;
};

static _Atomic(struct node *) head;
static _Atomic(struct node *) hazard[2];

static void push(struct node *n)
{
	struct node *h = atomic_load_explicit(&head, memory_order_relaxed);

	atomic_store_explicit(&n->alive, true, memory_order_relaxed);
	do
		n->next = h;
	while (!atomic_compare_exchange_strong_explicit(
		&head, &h, n, memory_order_release, memory_order_relaxed));
}

static struct node *pop(int me)
{
	for (;;) {
		struct node *h = atomic_load_explicit(&head, memory_order_acquire);

		if (!h)
			return NULL;
		atomic_store_explicit(&hazard[me], h, memory_order_release); /* @announce */
#ifndef BUG
		atomic_thread_fence(memory_order_seq_cst);
#endif
		if (atomic_load_explicit(&head, memory_order_acquire) != h) /* @check */
			continue;
		assert(atomic_load_explicit(&h->alive, memory_order_relaxed));
		if (atomic_compare_exchange_strong_explicit(
			    &head, &h, h->next, memory_order_acq_rel, memory_order_relaxed)) {
			atomic_store_explicit(&hazard[me], NULL, memory_order_release);
			return h;
		}
	}
}

/* Free a node that we have popped, unless the other thread reads it. */
static void retire(int me, struct node *n)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (n && atomic_load_explicit(&hazard[1 - me], memory_order_acquire) != n)
		atomic_store_explicit(&n->alive, false, memory_order_relaxed);
}

static void *worker(void *arg)
{
	int me = *(int *)arg;

	retire(me, pop(me));
	return arg;
}

int main(void)
{
	static struct node nodes[2];
	pthread_t a, b;
	int zero = 0, one = 1;

	push(&nodes[0]);
	push(&nodes[1]);
	pthread_create(&a, NULL, worker, &zero);
	pthread_create(&b, NULL, worker, &one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(!pop(0));
	return 0;
}
