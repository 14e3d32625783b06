/* SPDX-License-Identifier: ISC */
/* RWC - read to write causality: x=1 with r=x(1); r=y(0) with y=1; r=x(0).
 *
 * The third thread's store waits in its buffer while its load goes on.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DF_SFENCE tso  assertion reorder
 * verdict  -DF_SFENCE pso  assertion reorder
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  ok complete
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *c(void *arg)
{
	int r[4] = {0};

	W(&y, 1);
	F();
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[3];

	RUN(r, a, b, c);
	assert(!(GET(r[1], 0) == 1 && GET(r[1], 1) == 0 && GET(r[2], 0) == 0));
	return 0;
}
