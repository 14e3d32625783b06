/* SPDX-License-Identifier: ISC */
/* finding: race; models: rc11; options: --strategy graph */
/*
 * Data published by a relaxed store: right on x86, where stores stay in order, wrong in C11.
 *
 * report rc11 "data race on data: T1 stores it at" @store "T1's store of ready at" @flag
 * report rc11 "is relaxed, not release, so T2's load of it at" "does not synchronise with it"
 * report rc11 "the hardware of --model tso keeps these in order: there it is no race"
 */
#include "../clean/two.h"

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
	data = 42; /* @store */
	atomic_store_explicit(&ready, 1, memory_order_relaxed); /* @flag */
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(data == 42);
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	return 0;
}
