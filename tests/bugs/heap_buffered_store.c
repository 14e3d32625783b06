/* SPDX-License-Identifier: ISC */
/*
 * The store has been made before the free, but it is still in its buffer: it reaches memory that
 * another thread owns by then.
 *
 * verdict tso heap -- --strategy dfs
 * verdict pso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * verdict rc11 heap -- --strategy graph
 * report tso "use after free: a buffered store of 4 bytes at offset 0 of a block of 4 bytes that T2 has freed meanwhile" @store
 */
#include "../clean/two.h"

static _Atomic(int *) shared;

static void *writer(void *arg)
{
	int *p = atomic_load_explicit(&shared, memory_order_acquire);

	if (p)
		*p = 1; /* @store */
	return arg;
}

static void *owner(void *arg)
{
	free(atomic_exchange(&shared, NULL));
	return arg;
}

int main(void)
{
	atomic_store(&shared, malloc(sizeof(int)));
	two(writer, NULL, owner, NULL);
	return 0;
}
