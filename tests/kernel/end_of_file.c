/* SPDX-License-Identifier: ISC */
/* A reader reads to the end. WRONG: a copy of the writing end stays open, and the end never comes.
 *
 * verdict sc ok complete
 * verdict rc11 ok complete -- --strategy graph
 * verdict -DWRONG sc deadlock
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * report -DWRONG rc11 "waits for ever to read a pipe"
 */
#include "kernel.h"

static int fd[2];

static void *produce(void *arg)
{
	assert(write(fd[1], "ab", 2) == 2);
	assert(!close(fd[1]));
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;
	int n = 0;

	assert(!pipe(fd));
#ifdef WRONG
	dup(fd[1]);
#endif
	t = start(produce, NULL);
	while (read(fd[0], &c, 1) == 1)
		n++;
	assert(n == 2);
	join(t);
	return 0;
}
