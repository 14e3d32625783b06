/* SPDX-License-Identifier: ISC */
/* S - x=2; y=1 with r=y(1); x=1, and x ends as 2.
 *
 * The stores of the first thread change places: PSO only.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * verdict  -DF_SFENCE tso  ok complete
 * verdict  -DF_SFENCE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 2);
	F();
	W(&y, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&y);
	W(&x, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(R(&x) == 2 && GET(r[1], 0) == 1));
	return 0;
}
