/* SPDX-License-Identifier: ISC */
/* A thread that waits for SIGTERM handles SIGUSR1 meanwhile. WRONG: it blocks that, too.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 */
#include "kernel.h"

#include <semaphore.h>

static sem_t handled;

static void on_usr1(int sig)
{
	sem_post(&handled);
}

static void *serve(void *arg)
{
	sigset_t term;
	int sig;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	assert(!sigwait(&term, &sig) && sig == SIGTERM);
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	sigset_t set;
	pthread_t t;

	sem_init(&handled, 0, 0);
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
#ifdef WRONG
	sigaddset(&set, SIGUSR1);
#endif
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	t = start(serve, NULL);
	assert(!pthread_kill(t, SIGUSR1));
	sem_wait(&handled);
	assert(!pthread_kill(t, SIGTERM));
	join(t);
	return 0;
}
