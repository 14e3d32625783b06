/* SPDX-License-Identifier: ISC */
/* finding: race; models: rc11; options: --strategy graph */
/*
 * The other half of race_publication.c: a release store, but the load is relaxed.
 *
 * report rc11 "T2's load of ready at" "is relaxed, not acquire, so it does not synchronise with"
 */
#include "../clean/two.h"

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
	data = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_relaxed))
		assert(data == 42);
	return arg;
}

int main(void)
{
	two(writer, NULL, reader, NULL);
	return 0;
}
