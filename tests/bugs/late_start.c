/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc */
/*
 * It fails if one thread has not begun when the other has made 40 steps: random scheduling does so
 * once in 2^40 executions, depth-first search at the end of an unending search, pct (in strategy
 * mixed) in one of two executions.
 */
#include "../clean/two.h"

#define STEPS 40

static atomic_int early, late;

static void *begins(void *arg)
{
	assert(atomic_load(&late) != STEPS);
	for (int i = 0; i < STEPS; i++)
		atomic_fetch_add(&early, 1);
	return arg;
}

static void *runs(void *arg)
{
	for (int i = 0; i < STEPS; i++)
		atomic_fetch_add(&late, 1);
	return arg;
}

int main(void)
{
	two(runs, NULL, begins, NULL);
	return 0;
}
