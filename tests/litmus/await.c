/* SPDX-License-Identifier: ISC */
/* A program that only relaxed memory brings to a stop: x=1; r=y; wait until y==r; x=0, and the
 * mirror.
 *
 * Under SC at least one thread reads the other's 1, does not wait, and lets the other go on. With
 * store buffers both may read 0, and then each waits for the other to go back to 0. Two full
 * fences repair it, store-store fences do not.
 *
 * verdict               sc   ok
 * verdict               tso  livelock reorder
 * verdict               pso  livelock reorder
 * verdict  -DF_SFENCE   pso  livelock reorder
 * verdict  -DF_MFENCE   tso  ok
 * verdict  -DF_MFENCE   pso  ok
 */
#include "litmus.h"

static VAR x, y;

static void *a(void *arg)
{
	int r;

	W(&x, 1);
	F();
	r = R(&y);
	while (R(&y) != r)
		;
	W(&x, 0);
	return arg;
}

static void *b(void *arg)
{
	int r;

	W(&y, 1);
	F();
	r = R(&x);
	while (R(&x) != r)
		;
	W(&y, 0);
	return arg;
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	return 0;
}
