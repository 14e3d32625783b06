/* SPDX-License-Identifier: ISC */
/*
 * The block is freed, then passed to another thread, with synchronisation: no race, but an error.
 *
 * verdict rc11 heap
 * verdict ra heap
 * verdict tso heap -- --strategy dfs
 * verdict tso heap -- --strategy random
 * options --strategy graph
 * report rc11 "use after free: T1 frees" @free "T2 changes" @use "was allocated by main at"
 * report tso "use after free: store of 4 bytes at offset 8 of a block of 12 bytes that T1 has freed"
 */
#include "../clean/two.h"

static atomic_int *block;
static atomic_int ready;

static void *owner(void *arg)
{
	free(block); /* @free */
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}

static void *user(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		atomic_fetch_add(&block[2], 1); /* @use */
	return arg;
}

int main(void)
{
	block = calloc(3, sizeof(*block));
	two(owner, NULL, user, NULL);
	return 0;
}
