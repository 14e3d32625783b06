/* SPDX-License-Identifier: ISC */
/* finding: loop; models: tso; options: --strategy random --executions 1000 --time 20 --hang 0.3 */
/* A loop that touches no shared memory and never ends, if the other thread was first. */
#include "../clean/two.h"

static atomic_int x;

static void *looper(void *arg)
{
	if (x == 1)
		for (;;)
			;
	return arg;
}

static void *other(void *arg)
{
	x = 1;
	return arg;
}

int main(void)
{
	two(looper, NULL, other, NULL);
	return 0;
}
