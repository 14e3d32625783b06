/* SPDX-License-Identifier: ISC */
/* CoWW - coherence of writes: x=1; x=2 beside a reader, and x ends as 1.
 *
 * Two stores to one variable never change places, not under PSO either.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x;

static void *a(void *arg)
{
	W(&x, 1);
	W(&x, 2);
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
	assert(!(R(&x) == 1 || (GET(r[1], 0) == 2 && GET(r[1], 1) == 1)));
	return 0;
}
