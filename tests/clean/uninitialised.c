/* SPDX-License-Identifier: ISC */
/* Reads of memory that was never written: heap and stack. Only --detect=uninit reports that; the
 * values must not make one execution differ from another. */
#include "two.h"

static volatile int sink;

static void *worker(void *arg)
{
	int *p = malloc(4 * sizeof(*p));
	volatile int local[4];

	local[0] = 1;
	if (p[2] == p[3])
		sink = 1;
	if (local[3] == local[2])
		sink = 1;
	free(p);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	printf("done\n");
	return 0;
}
