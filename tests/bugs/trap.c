/* SPDX-License-Identifier: ISC */
/* finding: crash; models: tso */
/* __builtin_trap() in one order of two stores: SIGILL. */
#include "../clean/two.h"

static atomic_int x;

static void *one(void *arg)
{
	x = 1;
	if (x == 2)
		__builtin_trap();
	return arg;
}

static void *other(void *arg)
{
	x = 2;
	return arg;
}

int main(void)
{
	two(one, NULL, other, NULL);
	return 0;
}
