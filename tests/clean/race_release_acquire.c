/* SPDX-License-Identifier: ISC */
/* graph: sc tso pso ra rc11; */
/* The counterparts of bugs/race_publication.c: release and acquire; fences around relaxed
 * accesses. */
#include "two.h"

static int by_order, by_fence;
static atomic_int ready, fenced;

static void *writer(void *arg)
{
	by_order = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	by_fence = 43;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&fenced, 1, memory_order_relaxed);
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(by_order == 42);
	if (atomic_load_explicit(&fenced, memory_order_relaxed)) {
		atomic_thread_fence(memory_order_acquire);
		assert(by_fence == 43);
	}
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	printf("%d %d\n", by_order, by_fence);
	return 0;
}
