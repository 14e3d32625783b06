/* SPDX-License-Identifier: ISC */
/* A handler and the thread that it interrupts count. WRONG: in two steps, between which it may run.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG tso assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 */
#include "kernel.h"

static atomic_int count, handled;

static void on_usr1(int sig)
{
	atomic_fetch_add(&count, 1);
	handled = 1;
}

static void *work(void *arg)
{
#ifdef WRONG
	atomic_store(&count, atomic_load(&count) + 1);
#else
	atomic_fetch_add(&count, 1);
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
	join(t);
	assert(count == 1 + handled);
	return 0;
}
