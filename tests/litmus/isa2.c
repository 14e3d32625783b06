/* SPDX-License-Identifier: ISC */
/* ISA2 - a message handed on: x=1; y=1 with r=y(1); z=1 with r=z(1); r=x(0).
 *
 * Message passing in two stages; only the first thread has two stores to confuse.
 *
 * verdict  sc   ok complete
 * verdict  tso  ok complete
 * verdict  pso  assertion reorder
 * verdict  -DRELEASE tso  ok complete
 * verdict  -DRELEASE pso  ok complete
 * verdict  -DF_SFENCE tso  ok complete
 * verdict  -DF_SFENCE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR x, y, z;

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

	r[0] = R(&y);
	W(&z, 1);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *c(void *arg)
{
	int r[4] = {0};

	r[0] = R(&z);
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
