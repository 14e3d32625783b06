/* SPDX-License-Identifier: ISC */
/* A thread that waits for all signals of the process. WRONG: another one does not block them, and takes
 * one.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 deadlock,crash -- --strategy graph
 * verdict -DWRONG sc deadlock,crash -- --strategy dfs
 */
#include "kernel.h"

static atomic_int stop;

static void on_term(int sig)
{
}

static void *serve(void *arg)
{
	sigset_t all;
	int sig;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	sigemptyset(&all);
	sigaddset(&all, SIGTERM);
	assert(!sigwait(&all, &sig) && sig == SIGTERM);
	stop = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;
#ifdef WRONG
	signal(SIGTERM, on_term);
#else
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, NULL);
	(void)on_term;
#endif
	t = start(serve, NULL);
	assert(!kill(getpid(), SIGTERM));
	join(t);
	assert(stop);
	return 0;
}
