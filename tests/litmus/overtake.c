/* SPDX-License-Identifier: ISC */
/* x=1; y=1; x=2 with r=x(1); r=x(2); r=y(0).
 *
 * Under PSO both stores to x overtake the one to y, and still come in order.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  assertion reorder
 * verdict  -DF_SFENCE tso  ok complete
 * verdict  -DF_SFENCE pso  ok complete
 * verdict  -DF_RELEASE tso  ok complete
 * verdict  -DF_RELEASE pso  ok complete
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	W(&y, 1);
	F();
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&x);
	r[2] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[1], 0) == 1 && GET(r[1], 1) == 2 && GET(r[1], 2) == 0));
	return 0;
}
