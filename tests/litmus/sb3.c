/* SPDX-License-Identifier: ISC */
/* SB with three threads in a ring: each stores one variable and reads the next.
 *
 * All three may read 0. A fence in two of them is not enough.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DF_MFENCE tso  assertion reorder
 * verdict  -DF_MFENCE pso  assertion reorder
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y, z;

static void *a(void *arg)
{
	int r[4] = {0};

	W(&x, 1);
	F();
	r[0] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	W(&y, 1);
	F();
	r[0] = R(&z);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *c(void *arg)
{
	int r[4] = {0};

	W(&z, 1);
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[3];

	RUN(r, a, b, c);
	assert(!(GET(r[0], 0) == 0 && GET(r[1], 0) == 0 && GET(r[2], 0) == 0));
	return 0;
}
