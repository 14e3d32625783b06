/* SPDX-License-Identifier: ISC */
/* A thread waits until a handler has run. WRONG: the signal may come between the check and pause().
 * -DSIGPAUSE: sigpause() is sigsuspend() without the signal.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DSIGPAUSE rc11 ok complete -- --strategy graph
 * verdict -DSIGPAUSE sc ok -- --strategy dfs
 * verdict -DSIGPAUSE -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG rc11 deadlock -- --strategy graph
 * verdict -DWRONG pso deadlock -- --strategy graph
 * verdict -DWRONG sc deadlock -- --strategy dfs
 * verdict -DWRONG tso deadlock -- --strategy pct
 * report -DWRONG rc11 "T1 waits for ever for a signal" "send SIGUSR1 to T1" "runs the handler of SIGUSR1" "T1: waits for a signal"
 */
#include "kernel.h"

static volatile sig_atomic_t ready;

static void on_usr1(int sig)
{
	ready = 1;
}

static void *wait_for_it(void *arg)
{
#ifdef WRONG
	while (!ready)
#ifdef SIGPAUSE
		sigpause(SIGUSR1);
#else
		pause();
#endif
#else
	sigset_t usr1, before;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, &before);
	while (!ready)
#ifdef SIGPAUSE
		sigpause(SIGUSR1);
#else
		sigsuspend(&before);
#endif
	pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	pthread_t t;

	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(wait_for_it, NULL);
	assert(!pthread_kill(t, SIGUSR1));
	join(t);
	assert(ready);
	return 0;
}
