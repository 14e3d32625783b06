/* SPDX-License-Identifier: ISC */
/* finding: memory; models: tso */
/* Recursion without end in a thread, if the other thread was first. */
#include "../clean/two.h"

static atomic_int x;

static __attribute__((noinline)) int descend(int n)
{
	volatile char frame[1000];

	frame[n % 1000] = n;
	if (n < 0)
		return 0;
	return descend(n + 1) + frame[n % 1000];
}

static void *diver(void *arg)
{
	if (x == 1)
		descend(0);
	return arg;
}

static void *other(void *arg)
{
	x = 1;
	return arg;
}

int main(void)
{
	two(diver, NULL, other, NULL);
	return 0;
}
