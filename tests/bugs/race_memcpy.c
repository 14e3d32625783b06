/* SPDX-License-Identifier: ISC */
/* finding: race; models: sc tso pso ra rc11; options: --strategy graph */
/*
 * memcpy() into a buffer of which another thread reads one byte in the middle.
 *
 * report rc11 "data race on shared" "T2 loads shared[21]"
 */
#include "../clean/two.h"

static char shared[40];
static char seen;

static void *fill(void *arg)
{
	memcpy(shared, arg, sizeof(shared));
	return NULL;
}

static void *look(void *arg)
{
	seen = shared[21];
	return arg;
}

int main(void)
{
	char text[40];

	memset(text, 'x', sizeof(text));
	two(fill, text, look, NULL);
	assert(!seen || seen == 'x');
	return 0;
}
