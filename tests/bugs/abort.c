/* SPDX-License-Identifier: ISC */
/* finding: crash; models: sc tso pso; reorder: no */
/* abort() in the order of two threads in which the second comes first. */
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
