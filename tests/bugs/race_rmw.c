/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * A plain store, and a read-modify-write of another thread that reads from it.
 *
 * report rc11 "data race on x: T1 stores it at" @store "T2 changes it at" @rmw "T2 changes x = 3, atomic"
 */
#include "../clean/two.h"

static int x;

static void *store(void *arg)
{
	x = 1; /* @store */
	return arg;
}

static void *add(void *arg)
{
	__atomic_fetch_add(&x, 2, __ATOMIC_SEQ_CST); /* @rmw */
	return arg;
}

int main(void)
{
	two(store, NULL, add, NULL);
	return 0;
}
