/* SPDX-License-Identifier: ISC */
/* A reader of a pipe that is cancelled gives its buffer back. WRONG: it does not.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 leak -- --strategy graph --detect +leak
 * verdict -DWRONG sc leak -- --strategy dfs --detect +leak
 * report -DWRONG rc11 "is cancelled"
 */
#include "kernel.h"

static int ends[2];

static void *reads(void *arg)
{
	char *buffer = malloc(8);

#ifdef WRONG
	read(ends[0], buffer, 8);
	free(buffer);
#else
	pthread_cleanup_push(free, buffer);
	read(ends[0], buffer, 8);
	pthread_cleanup_pop(1);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(ends));
	t = start(reads, NULL);
	pthread_cancel(t);
	join(t);
	return 0;
}
