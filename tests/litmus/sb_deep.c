/* SPDX-License-Identifier: ISC */
/* SB behind other stores: a=1; b=1; x=1; r=y(0), and the mirror.
 *
 * The buffer holds more than one store; a full fence waits for all of them.
 *
 * verdict  sc   ok complete
 * verdict  tso  assertion reorder
 * verdict  pso  assertion reorder
 * verdict  -DF_MFENCE tso  ok complete
 * verdict  -DF_MFENCE pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

static VAR a0, b0, a1, b1, x, y;

static void *a(void *arg)
{
	int r[4] = {0};

	W(&a0, 1);
	W(&b0, 1);
	W(&x, 1);
	F();
	r[0] = R(&y);
	RETURN(r[0], r[1], r[2], r[3]);
}

static void *b(void *arg)
{
	int r[4] = {0};

	W(&a1, 1);
	W(&b1, 1);
	W(&y, 1);
	F();
	r[0] = R(&x);
	RETURN(r[0], r[1], r[2], r[3]);
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	assert(!(GET(r[0], 0) == 0 && GET(r[1], 0) == 0));
	return 0;
}
