/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * The simplest one: two threads count without a lock. Reported before the lost update shows.
 *
 * report sc "data race on counter: T1" "not atomic" "holding no lock"
 * report rc11 "nothing that T"
 */
#include "../clean/two.h"

static int counter;

static void *count(void *arg)
{
	counter++;
	return arg;
}

int main(void)
{
	two(count, NULL, count, NULL);
	return 0;
}
