/* SPDX-License-Identifier: ISC */
/* Chase and Lev's work-stealing deque (2005), with the orders of Le, Pop, Cohen and Zappa Nardelli
 * (2013): the owner pushes and takes at the bottom, a thief steals at the top.
 *
 * Taking lowers `bottom`, then reads `top`: is there an item left, or has a thief taken it? A store
 * and a load again, and the one fence of the algorithm that x86 needs. Without it (-DBUG) owner and
 * thief both get the last item.
 *
 * Pushing writes the item, then raises `bottom`. x86 keeps that order, PSO does not: without the
 * release fence (-DBUG_PUSH) the thief steals a slot whose item has not arrived.
 *
 * verdict              sc   ok
 * verdict              tso  ok
 * verdict              pso  ok
 * verdict  -DBUG       sc   ok
 * verdict  -DBUG       tso  assertion reorder
 * verdict  -DBUG       pso  assertion reorder
 * verdict  -DBUG_PUSH  tso  ok
 * verdict  -DBUG_PUSH  pso  assertion reorder
 * report   -DBUG_PUSH  pso  @item @raise
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4
#define ITEMS 3
#define EMPTY 0

static atomic_long top, bottom;
static atomic_int slots[SLOTS];
static int seen[ITEMS + 2]; /* owner's: how often it got item 1, 2, 3; no other value is possible */
static int stolen[2];

static void push(int item)
{
	long b = atomic_load_explicit(&bottom, memory_order_relaxed);

	atomic_store_explicit(&slots[b % SLOTS], item, memory_order_relaxed); /* @item */
#ifndef BUG_PUSH
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&bottom, b + 1, memory_order_relaxed); /* @raise */
}

static int take(void)
{
	long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t;
	int item = EMPTY;

	atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef BUG
	atomic_thread_fence(memory_order_seq_cst);
#endif
	t = atomic_load_explicit(&top, memory_order_relaxed);
	if (t < b)
		return atomic_load_explicit(&slots[b % SLOTS], memory_order_relaxed);
	if (t == b) {
		item = atomic_load_explicit(&slots[b % SLOTS], memory_order_relaxed);
		if (!atomic_compare_exchange_strong_explicit(
			    &top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
			item = EMPTY;
	}
	atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
	return item;
}

static int steal(void)
{
	long t = atomic_load_explicit(&top, memory_order_acquire), b;
	int item;

	atomic_thread_fence(memory_order_seq_cst);
	b = atomic_load_explicit(&bottom, memory_order_acquire);
	if (t >= b)
		return EMPTY;
	item = atomic_load_explicit(&slots[t % SLOTS], memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(
		    &top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
		return EMPTY;
	assert(item != EMPTY);
	return item;
}

static void *owner(void *arg)
{
	push(1);
	push(2);
	seen[take()]++;
	push(3);
	seen[take()]++;
	seen[take()]++;
	return arg;
}

static void *thief(void *arg)
{
	stolen[0] = steal();
	stolen[1] = steal();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, thief, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int i = 1; i <= ITEMS; i++)
		assert(seen[i] + (stolen[0] == i) + (stolen[1] == i) == 1);
	return 0;
}
