/* SPDX-License-Identifier: ISC */
/* A handler that only writes to a pipe. WRONG: it allocates memory, and may interrupt malloc().
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 signal -- --strategy graph
 * verdict -DWRONG tso signal -- --strategy graph
 * verdict -DWRONG sc signal -- --strategy dfs
 * report -DWRONG rc11 "unsafe call of malloc() in the handler of SIGUSR1, which may have interrupted" "on_usr1" "work"
 */
#include "kernel.h"

static int to;
static void *volatile block, *volatile own;

static void on_usr1(int sig)
{
#ifdef WRONG
	block = malloc(10);
#else
	assert(write(to, "x", 1) == 1);
#endif
}

static void *work(void *arg)
{
	own = malloc(100);
	free(own);
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	int fd[2];
	pthread_t t;

	assert(!pipe(fd));
	to = fd[1];
	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(work, NULL);
	pthread_kill(t, SIGUSR1);
	join(t);
	return 0;
}
