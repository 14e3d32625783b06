/* SPDX-License-Identifier: ISC */
/* Memory that is never freed: every execution starts with the original heap. */
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
