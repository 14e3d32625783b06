/* SPDX-License-Identifier: ISC */
/* SB with a forwarded load in between: x=1; r=x(1); r=y(0), and the mirror.
 *
 * A thread sees its own store at once, while it is still in the buffer; so the load of its own
 * variable does not make it wait.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  assertion reorder
 * verdict  -DRELEASE pso  assertion reorder
 * verdict  -DVOLATILE tso  assertion reorder
 * verdict  -DVOLATILE pso  assertion reorder
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
	int r[4] = {0};

	W(&x, 1);
	F();
	r[0] = R(&x);
	r[1] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	W(&y, 1);
	F();
	r[0] = R(&y);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 1) == 0 && GET(r[1], 1) == 0));
	return 0;
}
