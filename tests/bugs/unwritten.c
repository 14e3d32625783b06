/* SPDX-License-Identifier: ISC */
/* A relaxed flag: a thread that sees it may not see earlier stores to the block, but the contents
 * left by malloc(). Under sc and tso it does.
 * verdict rc11 uninit reorder
 * verdict -O0 rc11 uninit reorder
 * verdict -O2 rc11 uninit reorder
 * verdict -DOFF rc11 ok -- --detect=-unwritten
 * verdict pso uninit reorder
 * verdict sc ok
 * verdict tso ok
 * verdict -DCAS sc uninit
 * verdict -DCAS tso uninit -- --strategy random
 * verdict pso uninit reorder -- --strategy random
 * verdict tso ok -- --strategy random --executions 20000
 * report rc11 "use of uninitialised memory: T2 loads" "shared" "allocated"
 * options --strategy graph
 */
#include "../clean/two.h"

static atomic_int *shared;
static atomic_int flag;

static void *stores(void *arg)
{
	atomic_store_explicit(shared, 7, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return arg;
}

static void *loads(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		(void)atomic_load_explicit(shared, memory_order_relaxed);
#ifdef CAS
	int zero = 0;

	atomic_compare_exchange_strong(shared, &zero, 1);
#endif
	return arg;
}

int main(void)
{
	shared = malloc(sizeof *shared);
	two(stores, NULL, loads, NULL);
	free(shared);
	return 0;
}
