/* SPDX-License-Identifier: ISC */
/*
 * The block is only ever accessed by atomic operations, so there is no data race; but nothing
 * orders the allocation before the other thread's use. On x86 it is.
 *
 * verdict rc11 heap
 * verdict pso heap
 * verdict tso ok complete
 * options --strategy graph
 * report rc11 "publication without happens-before: nothing orders the use of a block after its allocation"
 * report rc11 "T1 allocates p#1 at" @malloc @use "is relaxed, not release"
 */
#include "../clean/two.h"

static _Atomic(atomic_int *) shared;

static void *publisher(void *arg)
{
	atomic_int *p = calloc(1, sizeof(*p)); /* @malloc */

	atomic_store_explicit(&shared, p, memory_order_relaxed);
	return arg;
}

static void *user(void *arg)
{
	atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);

	if (p)
		atomic_fetch_add(p, 1); /* @use */
	return arg;
}

int main(void)
{
	two(publisher, NULL, user, NULL);
	return 0;
}
