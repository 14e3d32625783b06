/* SPDX-License-Identifier: ISC */
/*
 * A thread that finds the pointer frees the block; both may find it.
 *
 * verdict rc11 heap
 * verdict tso heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * options --strategy graph
 * report rc11 "double free: nothing orders the two: T1 frees shared#1 at" "T2 frees shared#1 at"
 * report rc11 "shared#1 was allocated by main at"
 */
#include "../clean/two.h"

static _Atomic(char *) shared;

static void *worker(void *arg)
{
	char *p = atomic_load(&shared);

	if (p) {
		free(p);
		atomic_store(&shared, NULL);
	}
	return arg;
}

int main(void)
{
	atomic_store(&shared, malloc(10));
	two(worker, NULL, worker, NULL);
	return 0;
}
