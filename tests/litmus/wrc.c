/* SPDX-License-Identifier: ISC */
/* WRC - write to read causality: x=1 with r=x(1); y=1 with r=y(1); r=x(0).
 *
 * A store that one thread has read is in memory, so all threads see it.
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
	int r[4] = {0};

	r[0] = R(&x);
	W(&y, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *c(void *arg)
{
	int r[4] = {0};

	r[0] = R(&y);
	r[1] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[3];

	RUN(r, a, b, c);
	assert(!(GET(r[1], 0) == 1 && GET(r[2], 0) == 1 && GET(r[2], 1) == 0));
	return 0;
}
