/* SPDX-License-Identifier: ISC */
/* What an assumption cuts off: x=1; assume(false) with r=x(1).
 *
 * The execution does not count any more once the first thread says so; the second may have failed
 * before, over what the first has done. Over what it would do afterwards nobody can fail.
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
