/* SPDX-License-Identifier: ISC */
/* n6 - x=1; r=x(1); r=y(0) with y=1; x=2, and x ends as 1.
 *
 * The thread has read its own store long before that reaches memory, last of all. A fence in the
 * first thread is all that TSO needs; under PSO the second thread's stores may change places too.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  assertion reorder
 * verdict  -DRELEASE pso  assertion reorder
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  assertion reorder
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
	W(&y, 1);
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 1 && GET(r[0], 1) == 0 && R(&x) == 1));
	return 0;
}
