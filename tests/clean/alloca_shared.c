/* SPDX-License-Identifier: ISC */
/* Memory from alloca() in one thread's frame, written by others. */
#include <alloca.h>
#include "two.h"

static void *fill(void *arg)
{
	int *cell = arg;

	for (int i = 0; i < 3; i++)
		cell[i] += i + 1;
	return NULL;
}

static int sum(int n)
{
	int *cells = alloca(n * sizeof(*cells)), total = 0;

	memset(cells, 0, n * sizeof(*cells));
	two(fill, cells, fill, cells + 3);
	for (int i = 0; i < n; i++)
		total += cells[i];
	return total;
}

int main(void)
{
	int total = sum(6);

	printf("%d\n", total);
	assert(total == 12);
	return 0;
}
