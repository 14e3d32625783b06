/* SPDX-License-Identifier: ISC */
/* A pipe as a semaphore: a byte is the right to enter (GNU make's job server). WRONG: one byte too many.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 race -- --strategy graph
 * verdict -DWRONG sc assertion
 */
#include "kernel.h"

static int fd[2], inside;

static void *enter(void *arg)
{
	char token;

	assert(read(fd[0], &token, 1) == 1);
	inside++;
	assert(inside == 1);
	inside--;
	assert(write(fd[1], &token, 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(fd));
#ifdef WRONG
	assert(write(fd[1], "++", 2) == 2);
#else
	assert(write(fd[1], "+", 1) == 1);
#endif
	t = start(enter, NULL);
	enter(NULL);
	join(t);
	return 0;
}
