/* SPDX-License-Identifier: ISC */
/* A program that stops only under relaxed memory: x=1; if y was 0, wait until it is 0 again; x=0,
 * and the mirror.
 *
 * Under SC at least one thread finds the other's 1, does not wait, and lets the other continue.
 * With store buffers both may find 0, and then each waits for the other to go back to 0. Two full
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
	W(&x, 1);
	F();
	if (R(&y) == 0)
		while (R(&y) != 0)
			;
	W(&x, 0);
	return arg;
}

static void *b(void *arg)
{
	W(&y, 1);
	F();
	if (R(&x) == 0)
		while (R(&x) != 0)
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
