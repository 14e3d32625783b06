/* SPDX-License-Identifier: ISC */
/* The effect of an assumption: x=1; assume(false) with r=x(1).
 *
 * The execution no longer counts once the first thread's assumption fails; the second may have
 * failed before, because of the first one's earlier steps, but not because of its later ones.
 *
 * verdict  sc   assertion noreorder
 * verdict  tso  assertion noreorder
 * verdict  pso  assertion noreorder
 * verdict  -DAFTER sc   ok complete
 * verdict  -DAFTER tso  ok complete
 * verdict  -DAFTER pso  ok complete
 * options  --strategy dfs
 */
#include "litmus.h"

#include <heddle/heddle.h>

static VAR x;

static void *a(void *arg)
{
#ifdef AFTER
	heddle_assume(false);
#endif
	W(&x, 1);
	heddle_assume(false);
	return arg;
}

static void *b(void *arg)
{
	assert(R(&x) == 0);
	return arg;
}

int main(void)
{
	uintptr_t r[2];

	RUN(r, a, b);
	return 0;
}
