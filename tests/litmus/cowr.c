/* SPDX-License-Identifier: ISC */
/* CoWR - x=1; r=x(2) with x=2, and x ends as 1.
 *
 * A read after the thread's own store that sees another's: then the own one is the older.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x;

static void *a(void *arg)
{
	int r[4] = {0};

	W(&x, 1);
	r[0] = R(&x);
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
	assert(!(GET(r[0], 0) == 2 && R(&x) == 1));
	return 0;
}
