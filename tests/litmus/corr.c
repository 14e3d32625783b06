/* SPDX-License-Identifier: ISC */
/* CoRR - coherence of reads: x=1 with r=x(1); r=x(0).
 *
 * One variable, two reads: the second never sees an older value.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  ok complete
 * executions sc 3
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x;

static void *a(void *arg)
{
	W(&x, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[1], 0) == 1 && GET(r[1], 1) == 0));
	return 0;
}
