/* SPDX-License-Identifier: ISC */
/* R - x=1; y=1 with y=2; r=x(0), and y ends as 2.
 *
 * The load overtakes the store before it in the second thread. A store-store fence does not help,
 * a full fence in both threads does.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  assertion reorder
 * verdict  -DRELEASE pso  assertion reorder
 * verdict  -DF_SFENCE tso  assertion reorder
 * verdict  -DF_SFENCE pso  assertion reorder
 * verdict  -DF_RELEASE tso  assertion reorder
 * verdict  -DF_RELEASE pso  assertion reorder
 * verdict  -DSEQ_CST tso  ok complete
 * verdict  -DSEQ_CST pso  ok complete
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  ok complete
 * verdict  -DF_SEQ_CST tso  ok complete
 * verdict  -DF_SEQ_CST pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	F();
	W(&y, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r[4] = {0};

	W(&y, 2);
	F();
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(R(&y) == 2 && GET(r[1], 0) == 0));
	return 0;
}
