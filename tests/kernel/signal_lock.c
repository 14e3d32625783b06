/* SPDX-License-Identifier: ISC */
/* A handler that takes a lock. WRONG: the thread that it interrupts may have it.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 signal -- --strategy graph
 * verdict -DWRONG sc signal -- --strategy dfs
 * report -DWRONG rc11 "runs the handler of SIGUSR1"
 */
#include "kernel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void on_usr1(int sig)
{
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
}

static void *work(void *arg)
{
#ifndef WRONG
	sigset_t usr1, before;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, &before);
#endif
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
#ifndef WRONG
	pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_usr1};
	pthread_t t;

	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(work, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
	join(t);
	assert(count == 2 || count == 3);
	return 0;
}
