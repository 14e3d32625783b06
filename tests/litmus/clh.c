/* SPDX-License-Identifier: ISC */
/* CLH lock - each waits for the flag of the one before it. Queueing is an exchange, so the only
 * fence needed is a release when leaving the critical section.
 *
 * verdict          sc   ok
 * verdict          tso  ok
 * verdict          pso  ok
 * verdict  -DBUG   tso  ok
 * verdict  -DBUG   pso  assertion reorder
 */
#include "litmus.h"

static atomic_int busy[3];
static atomic_int tail;
static int counter;

static void *worker(int me)
{
	for (int i = 0; i < 2; i++) {
		int before, seen;

		W(&busy[me], 1);
		before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
		while (atomic_load_explicit(&busy[before], memory_order_acquire))
			;
		seen = counter;
		counter = seen + 1;
#ifdef BUG
		W(&busy[me], 0);
#else
		atomic_store_explicit(&busy[me], 0, memory_order_release);
#endif
		me = before;
	}
	return NULL;
}

static void *a(void *arg)
{
	return worker(1);
}

static void *b(void *arg)
{
	return worker(2);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(counter == 4);
	return 0;
}
