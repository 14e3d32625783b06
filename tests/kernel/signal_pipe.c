/* SPDX-License-Identifier: ISC */
/* A handler writes to a pipe that its thread polls. WRONG: a flag is checked before the poll, which the
 * signal does not end if it came before.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy random
 */
#include "kernel.h"

static int ends[2];
static volatile sig_atomic_t ready;

static void on_usr1(int sig)
{
#ifndef WRONG
	write(ends[1], "", 1);
#endif
	ready = 1;
}

static void *loop(void *arg)
{
	struct pollfd p = {ends[0], POLLIN, 0};

	if (!ready)
		poll(&p, 1, -1);
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	pthread_t t;

	assert(!pipe(ends));
	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(loop, NULL);
	pthread_kill(t, SIGUSR1);
	join(t);
	return 0;
}
