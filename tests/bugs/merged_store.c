/* SPDX-License-Identifier: ISC */
/*
 * The stores of two branches become one, which has no line: the headline has the nearest one, with ~.
 *
 * verdict -O2 sc crash
 * report -O2 sc "at null pointer (SIGSEGV), " "merged_store.c:~28"
 * verdict -O0 tso crash
 * report -O0 tso @store
 */
#include "../clean/two.h"

static int *volatile nowhere;
static int a, b;

static void *other(void *arg)
{
	return arg;
}

static void *store(void *arg)
{
	int *p = nowhere;

	if (arg)
		*p = a * 3; /* @store */
	else
		*p = b + 7;
	return arg;
}

int main(void)
{
	two(store, &a, other, NULL);
	return 0;
}
