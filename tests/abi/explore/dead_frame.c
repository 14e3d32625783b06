/* SPDX-License-Identifier: ISC */
/*
 * dead_frame.c - a store to a local variable may still be in the buffer when the function returns;
 * it must not reach the private variables that the next function keeps in the same place.
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;

static __attribute__((noinline)) void out(int *p, int v)
{
	*p = v;
}

static __attribute__((noinline)) void leaves_stores_behind(void)
{
	int local[8];

	for (int i = 0; i < 8; i += 3)
		out(&local[i], 100 + i);
}

static __attribute__((noinline)) void leaves_in_array(int n)
{
	for (int k = 0; k < n; k++) {
		int local[8 + k];

		out(&local[0], 200);
		out(&local[7], 300);
	}
}

static __attribute__((noinline)) int uses_the_place(void)
{
	int mine[16], sum = 0;

	for (int i = 0; i < 16; i++)
		mine[i] = i;
	__asm__ volatile("" : "+m"(mine)); /* it is really in memory */
	for (int i = 0; i < 2; i++) {	   /* time for stores to reach memory */
		atomic_store_explicit(&x, i, memory_order_relaxed);
		sum += 0 * atomic_load_explicit(&y, memory_order_relaxed);
	}
	__asm__ volatile("" : "+m"(mine));
	for (int i = 0; i < 16; i++)
		sum += mine[i];
	return sum;
}

static void *other(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	leaves_stores_behind();
	assert(uses_the_place() == 120);
	leaves_in_array(2);
	assert(uses_the_place() == 120);
	pthread_join(t, NULL);
	return 0;
}
