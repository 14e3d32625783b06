/* SPDX-License-Identifier: ISC */
/* A loop that waits by sched_yield() ends. */
#include <sched.h>
#include "two.h"

static atomic_int turn;

static void *even(void *arg)
{
	while (atomic_load(&turn) != 0)
		sched_yield();
	atomic_store(&turn, 1);
	while (atomic_load(&turn) != 2)
		sched_yield();
	return arg;
}

static void *odd(void *arg)
{
	while (atomic_load(&turn) != 1)
		assert(sched_yield() == 0);
	atomic_store(&turn, 2);
	return arg;
}

int main(void)
{
	two(even, NULL, odd, NULL);
	puts("ok");
	return 0;
}
