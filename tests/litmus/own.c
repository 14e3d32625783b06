/* SPDX-License-Identifier: ISC */
/* A thread sees its own stores, in order.
 *
 * x=1; r=x; x=2; r=x beside another thread that never writes x: both reads must find what was
 * just written, whatever has reached memory.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  ok complete
 * verdict  -DMOV tso  ok complete
 * verdict  -DMOV pso  ok complete
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	int r[4] = {0};

	W(&x, 1);
	r[0] = R(&x);
	W(&x, 2);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	W(&y, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) != 1 || GET(r[0], 1) != 2));
	return 0;
}
