/* SPDX-License-Identifier: ISC */
/*
 * A thread uses a block that it has freed itself, but only if the other one was first. No other
 * thread accesses the block.
 *
 * verdict rc11 heap
 * verdict tso heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * options --strategy graph
 * report rc11 "use after free: load of 1 byte at offset 40 of a block of 64 bytes that T2 has freed" @use
 * report tso "use after free: load of 1 byte at offset 40 of a block of 64 bytes that T2 has freed" @use
 * report rc11 "p#1 was allocated by T2" @malloc "p#1 was freed by T2" @free
 */
#include "../clean/two.h"

static atomic_int stop;

static void *stopper(void *arg)
{
	atomic_store(&stop, 1);
	return arg;
}

static void *worker(void *arg)
{
	char *volatile p = malloc(64); /* @malloc */

	p[40] = 1;
	if (atomic_load(&stop))
		free(p); /* @free */
	assert(p[40] == 1); /* @use */
	if (!atomic_load(&stop))
		free(p);
	return arg;
}

int main(void)
{
	two(stopper, NULL, worker, NULL);
	return 0;
}
