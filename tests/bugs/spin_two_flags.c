/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso pso */
/* graph: rc11 ra sc; random: rc11 ra; dfs: tso */
/* A thread waits for one of two flags; the thread that comes second raises neither. */
#include "../clean/two.h"

static atomic_int first, stop, go;

static void *raiser(void *arg)
{
	if (!atomic_exchange_explicit(&first, 1, memory_order_relaxed))
		atomic_store_explicit(&go, 1, memory_order_relaxed);
	atomic_store_explicit(&stop, 2, memory_order_relaxed);
	return arg;
}

static void *waiter(void *arg)
{
	atomic_exchange_explicit(&first, 1, memory_order_relaxed);
	while (!atomic_load_explicit(&go, memory_order_relaxed) &&
		atomic_load_explicit(&stop, memory_order_relaxed) != 1)
		;
	return arg;
}

int main(void)
{
	two(raiser, NULL, waiter, NULL);
	return 0;
}
