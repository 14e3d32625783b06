/* SPDX-License-Identifier: ISC */
/* n5 - x=1; r=x(2) with x=2; r=x(1).
 *
 * Each thread would have to see the other's store as the later one.
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
	int r[4] = {0};

	W(&x, 2);
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 2 && GET(r[1], 0) == 1));
	return 0;
}
