/* SPDX-License-Identifier: ISC */
/* A writer whose reader may have gone. WRONG: it does not ignore SIGPIPE.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict sc ok complete
 * verdict -DWRONG rc11 crash -- --strategy graph
 * verdict -DWRONG sc crash
 * report -DWRONG rc11 "SIGPIPE"
 */
#include "kernel.h"

static int fd[2];

static void *consume(void *arg)
{
	assert(!close(fd[0]));
	return NULL;
}

int main(void)
{
	pthread_t t;
	ssize_t n;

	assert(!pipe(fd));
#ifndef WRONG
	signal(SIGPIPE, SIG_IGN);
#endif
	t = start(consume, NULL);
	n = write(fd[1], "x", 1);
	assert(n == 1 || (n == -1 && errno == EPIPE));
	join(t);
	return 0;
}
