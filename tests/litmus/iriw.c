/* SPDX-License-Identifier: ISC */
/* IRIW - independent reads of independent writes: two writers, and two readers that see the two
 * stores in opposite order.
 *
 * There is one memory: a store reaches all threads at once.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	W(&x, 1);
	RETURN(0, 0, 0, 0);
}

static void *b(void *arg)
{
	W(&y, 1);
	RETURN(0, 0, 0, 0);
}

static void *c(void *arg)
{
	int r[4] = {0};

	r[0] = R(&x);
	r[1] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *d(void *arg)
{
	int r[4] = {0};

	r[0] = R(&y);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[4];

	RUN(r, a, b, c, d);
	assert(!(GET(r[2], 0) == 1 && GET(r[2], 1) == 0 && GET(r[3], 0) == 1 && GET(r[3], 1) == 0));
	return 0;
}
