/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso */
/* memcpy() into shared memory is many stores; another thread may look in between. */
#include "../clean/two.h"

static char shared[48];

static void *fill(void *arg)
{
	memcpy(shared, arg, sizeof(shared));
	return NULL;
}

static void *look(void *arg)
{
	char last = shared[47], first = shared[0];

	assert(!last || first);
	last = shared[47];
	assert(!first || last);
	return arg;
}

int main(void)
{
	char text[48];

	memset(text, 'x', sizeof(text));
	two(fill, text, look, NULL);
	return 0;
}
