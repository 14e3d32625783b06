/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* x = x + 1 in two threads without a lock: possible under every model. */
#include "../clean/two.h"

static int x;

static void *increment(void *arg)
{
	int seen = x;

	x = seen + 1;
	return arg;
}

int main(void)
{
	two(increment, NULL, increment, NULL);
	assert(x == 2);
	return 0;
}
