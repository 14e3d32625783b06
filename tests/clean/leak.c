/* SPDX-License-Identifier: ISC */
/* Memory that nobody frees: every execution starts with a heap as it was at first. */
#include "two.h"

static void *worker(void *arg)
{
	char **kept = arg;

	for (int i = 0; i < 8; i++) {
		*kept = malloc(1000 + i);
		assert(*kept);
		(*kept)[999] = i;
	}
	return NULL;
}

int main(void)
{
	char *a, *b;

	two(worker, &a, worker, &b);
	printf("%d %d\n", a[999], b[999]);
	assert(a != b);
	return 0;
}
