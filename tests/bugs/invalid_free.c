/* SPDX-License-Identifier: ISC */
/* finding: heap; models: tso */
/* graph: rc11 sc; dfs: tso */
/* free() of an address in the middle of a block, if the other thread has moved the pointer. */
#include "../clean/two.h"

static _Atomic(char *) cursor;

static void *advance(void *arg)
{
	cursor = (char *)arg + 16;
	return NULL;
}

static void *release(void *arg)
{
	free(cursor);
	return arg;
}

int main(void)
{
	char *block = malloc(100);

	cursor = block;
	two(advance, block, release, NULL);
	return 0;
}
