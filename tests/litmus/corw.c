/* SPDX-License-Identifier: ISC */
/* CoRW - r=x(2); x=1 with x=2, and x ends as 2.
 *
 * A store comes after what the thread read before it.
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
	int r[4] = {0};

	r[0] = R(&x);
	W(&x, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 2 && R(&x) == 2));
	return 0;
}
