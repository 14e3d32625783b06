/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* A long sleep is no synchronisation. */
#include <unistd.h>
#include "../clean/two.h"

static atomic_int ready;

static void *setter(void *arg)
{
	ready = 1;
	return arg;
}

static void *sleeper(void *arg)
{
	usleep(100000);
	assert(ready);
	return arg;
}

int main(void)
{
	two(setter, NULL, sleeper, NULL);
	return 0;
}
