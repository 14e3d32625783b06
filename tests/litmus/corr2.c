/* SPDX-License-Identifier: ISC */
/* CoRR with two writers: x=1 with x=2, and two readers that see them in opposite order.
 *
 * All threads agree on the order of the stores to one variable.
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
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	W(&x, 2);
	RETURN(0, 0, 0, 0);
}

static void *c(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *d(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[4];

	RUN(r, a, b, c, d);
	assert(!(GET(r[2], 0) == 1 && GET(r[2], 1) == 2 && GET(r[3], 0) == 2 && GET(r[3], 1) == 1));
	return 0;
}
