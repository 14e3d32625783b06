/* SPDX-License-Identifier: ISC */
/*
 * chase_lev.c - Chase and Lev's work-stealing deque (2005), in C11 by Le, Pop, Cohen and Zappa
 * Nardelli (PPoPP 2013, figure 1), without growing. With PUBLISHED the orders are theirs.
 *
 * Owner and thief want the last items at the same time; items are read as plain
 * memory.
 */
#include "relax.h"

#define SIZE  4
#define ITEMS 2
#define EMPTY -1
#define ABORT -2

static atomic_int top, bottom, array[SIZE];
static int payload[ITEMS + 1], taken[ITEMS + 1], stolen[ITEMS + 1];

static void push(int v)
{
	int b = atomic_load_explicit(&bottom, O(relaxed));
	int t = atomic_load_explicit(&top, O(acquire));

	assert(b - t < SIZE);
	atomic_store_explicit(&array[b % SIZE], v, O(relaxed));
	atomic_thread_fence(O(release));
	atomic_store_explicit(&bottom, b + 1, O(relaxed));
}

static int take(void)
{
	int b = atomic_load_explicit(&bottom, O(relaxed)) - 1;
	int t, v = EMPTY;

	atomic_store_explicit(&bottom, b, O(relaxed));
	atomic_thread_fence(memory_order_seq_cst);
	t = atomic_load_explicit(&top, O(relaxed));
	if (t > b) {
		atomic_store_explicit(&bottom, b + 1, O(relaxed));
		return EMPTY;
	}
	v = atomic_load_explicit(&array[b % SIZE], O(relaxed));
	if (t < b)
		return v;
	if (!atomic_compare_exchange_strong_explicit(
		    &top, &t, t + 1, memory_order_seq_cst, O(relaxed)))
		v = EMPTY;
	atomic_store_explicit(&bottom, b + 1, O(relaxed));
	return v;
}

static int steal(void)
{
	int t = atomic_load_explicit(&top, O(acquire)), b, v;

	atomic_thread_fence(memory_order_seq_cst);
	b = atomic_load_explicit(&bottom, O(acquire));
	if (t >= b)
		return EMPTY;
	v = atomic_load_explicit(&array[t % SIZE], O(relaxed));
	if (!atomic_compare_exchange_strong_explicit(
		    &top, &t, t + 1, memory_order_seq_cst, O(relaxed)))
		return ABORT;
	return v;
}

static void count(int *to, int v)
{
	if (v > 0) {
		assert(payload[v] == v);
		to[v]++;
	}
}

static void *owner(void *arg)
{
	for (int i = 1; i <= ITEMS; i++) {
		payload[i] = i;
		push(i);
	}
	for (int i = 1; i <= ITEMS; i++)
		count(taken, take());
	return arg;
}

static void *thief(void *arg)
{
	for (int i = 1; i <= 2; i++)
		count(stolen, steal());
	return arg;
}

int main(void)
{
	RUN(owner, thief);
	for (int i = 1; i <= ITEMS; i++)
		assert(taken[i] + stolen[i] == 1);
}
