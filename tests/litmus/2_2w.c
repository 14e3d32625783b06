/* SPDX-License-Identifier: ISC */
/* 2+2W - two writers, two variables: x=1; y=2 with y=1; x=2, and both end as 1.
 *
 * Each thread's first store comes last: only where stores overtake stores.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  assertion reorder
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  assertion reorder
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * verdict  -DF_SFENCE tso  ok complete
 * verdict  -DF_SFENCE pso  ok complete
 * verdict  -DF_RELEASE tso  ok complete
 * verdict  -DF_RELEASE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	F();
	W(&y, 2);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	W(&y, 1);
	F();
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(R(&x) == 1 && R(&y) == 1));
	return 0;
}
