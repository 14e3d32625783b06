/* SPDX-License-Identifier: ISC */
/* finding: heap; models: sc tso pso */
/* graph: rc11 sc; dfs: tso */
/* Both threads believe they are the last user: a reference count that is read again. */
#include "../clean/two.h"

static atomic_int users = 2;
static char *block;

static void *worker(void *arg)
{
	atomic_fetch_sub(&users, 1);
	if (users == 0)
		free(block);
	return arg;
}

int main(void)
{
	block = malloc(10);
	two(worker, NULL, worker, NULL);
	return 0;
}
