/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * A flag that is not atomic: under every model the compiler may read it once.
 *
 * report sc "data race on stop" "T1 loads stop = " "T2 stores stop = 1, not atomic"
 */
#include "../clean/two.h"

static int stop, rounds;

static void *worker(void *arg)
{
	for (int i = 0; i < 3 && !stop; i++)
		rounds++;
	return arg;
}

static void *stopper(void *arg)
{
	stop = 1;
	return arg;
}

int main(void)
{
	two(worker, NULL, stopper, NULL);
	assert(rounds <= 3);
	return 0;
}
