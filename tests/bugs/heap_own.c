/* SPDX-License-Identifier: ISC */
/* finding: heap; models: sc tso pso */
/* graph: rc11 sc; dfs: tso */
/* A thread uses a block of its own many times, frees it, and uses it once more. */
#include "../clean/two.h"

#define SIZE 8

static int *volatile block;

static void *worker(void *arg)
{
	int *own = calloc(SIZE, sizeof *own);

	block = own;
	for (int i = 0; i < 100 * SIZE; i++)
		own[i % SIZE] += i;
	free(block);
	own = block;
	own[1] = 0;
	return arg;
}

static void *idle(void *arg)
{
	return arg;
}

int main(void)
{
	two(worker, NULL, idle, NULL);
	return 0;
}
