/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso pso; reorder: no */
/* abort() if the second of two threads comes first. */
#include "../clean/two.h"

static atomic_int first;

static void *one(void *arg)
{
	first = 1;
	return arg;
}

static void *two_(void *arg)
{
	if (!first)
		abort();
	return arg;
}

int main(void)
{
	two(one, NULL, two_, NULL);
	return 0;
}
