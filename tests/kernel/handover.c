/* SPDX-License-Identifier: ISC */
/* A pointer through a pipe: what was written before it is there for the reader. WRONG: written after it.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete
 * executions sc 28
 * verdict -DWRONG rc11 race,assertion -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int fd[2];

static void *produce(void *arg)
{
	int *job = malloc(sizeof *job);

#ifndef WRONG
	*job = 42;
	assert(write(fd[1], &job, sizeof job) == sizeof job);
#else
	*job = 0;
	assert(write(fd[1], &job, sizeof job) == sizeof job);
	*job = 42;
#endif
	return NULL;
}

int main(void)
{
	pthread_t t;
	int *job;

	assert(!pipe(fd));
	t = start(produce, NULL);
	assert(read(fd[0], &job, sizeof job) == sizeof job);
	assert(*job == 42);
	join(t);
	free(job);
	close(fd[0]);
	close(fd[1]);
	return 0;
}
