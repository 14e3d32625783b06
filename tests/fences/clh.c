/* SPDX-License-Identifier: ISC */
/* The queue lock of Craig, Landin and Hagersten: its compare-and-exchange provides all required order.
 *
 * fences tso 0 0
 * fences pso 0 0
 */
#define ROUNDS 1
#include "algorithm.h"

VAR locked[3];
atomic_int tail;

static void enter_and_leave(int node)
{
	int before;

	W(locked[node], 1);
	before = atomic_load(&tail);
	while (!atomic_compare_exchange_strong(&tail, &before, node))
		;
	AWAIT(!R(locked[before]));
	CRITICAL_SECTION();
	LEAVE(locked[node]);
}

static void *first(void *arg)
{
	enter_and_leave(1);
	return (void *)(long)entered;
}

static void *second(void *arg)
{
	enter_and_leave(2);
	return (void *)(long)entered;
}

MAIN(first, second)
