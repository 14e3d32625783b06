/* SPDX-License-Identifier: ISC */
/* An increasing sequence: x=1; x=2; x=3 with x=0; r=x; r=x, and the second read is not smaller.
 * Safe under all models: one variable, one order.
 *
 * verdict sc  ok complete
 * verdict tso ok complete
 * verdict pso ok complete
 * executions sc 20
 * options --strategy dfs
 */
#include "litmus.h"

static VAR x;

static void *a(void *arg)
{
	W(&x, 1);
	W(&x, 2);
	W(&x, 3);
	return arg;
}

static void *b(void *arg)
{
	int r0, r1;

	W(&x, 0);
	r0 = R(&x);
	r1 = R(&x);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(GET(r[1], 0) <= GET(r[1], 1));
	return 0;
}
