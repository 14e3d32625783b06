/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso pso */
/* Integer division by a shared number that the other thread sets to zero: SIGFPE. */
#include "../clean/two.h"

static atomic_int divisor = 4;
static volatile int result;

static void *divide(void *arg)
{
	result = 100 / divisor;
	return arg;
}

static void *clear(void *arg)
{
	divisor = 0;
	return arg;
}

int main(void)
{
	two(divide, NULL, clear, NULL);
	return 0;
}
