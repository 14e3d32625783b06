/* SPDX-License-Identifier: ISC */
/* LB - load buffering: r=x(1); y=1 with r=y(1); x=1.
 *
 * Stores never overtake loads under these models.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * verdict  -DVOLATILE tso  ok complete
 * verdict  -DVOLATILE pso  ok complete
 * executions sc 6
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	W(&y, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	r[0] = R(&y);
	W(&x, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 1 && GET(r[1], 0) == 1));
	return 0;
}
