/* SPDX-License-Identifier: ISC */
/* A reader stops at the end of file, which comes when the last writer has closed. WRONG: each writer closes the
 * common descriptor.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok -- --strategy mixed --executions 2000 --time 5
 * verdict -DWRONG rc11 race,assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy graph --races ignore
 */
#include "kernel.h"

static int fd[2];

static void *say(void *arg)
{
	int own = *(int *)arg;

	assert(write(own, "x", 1) == 1);
	close(own);
	return NULL;
}

int main(void)
{
	char text[4];
	int own[2], n = 0;
	pthread_t t[2];

	assert(!pipe(fd));
	own[0] = fd[1];
#ifdef WRONG
	own[1] = fd[1];
#else
	own[1] = dup(fd[1]);
#endif
	for (int i = 0; i < 2; i++)
		t[i] = start(say, &own[i]);
	while (read(fd[0], text, 1) == 1)
		n++;
	assert(n == 2);
	for (int i = 0; i < 2; i++)
		join(t[i]);
	return 0;
}
