/* SPDX-License-Identifier: ISC */
/* Use of freed memory, by the thread that freed it and by another. Not reported in this version; it
 * must not break anything else. */
#include "two.h"

static char *volatile block;
static volatile int sink;

static void *reader(void *arg)
{
	char *p = block;

	if (p)
		sink = p[40];
	return arg;
}

static void *owner(void *arg)
{
	char *p = malloc(64);

	p[40] = 1;
	block = p;
	free(p);
	p[41] = p[40];
	block = NULL;
	return arg;
}

int main(void)
{
	char *after;

	two(owner, NULL, reader, NULL);
	after = calloc(1, 64);
	for (int i = 0; i < 64; i++)
		assert(!after[i]);
	free(after);
	printf("done\n");
	return 0;
}
