/* SPDX-License-Identifier: ISC */
/* A handler is replaced while a signal is under way: either may run. WRONG: only the new one is expected.
 *
 * verdict rc11 ok complete -- --strategy graph
 * verdict tso ok complete -- --strategy graph
 * verdict sc ok -- --strategy dfs
 * verdict -DWRONG rc11 assertion -- --strategy graph
 * verdict -DWRONG sc assertion -- --strategy dfs
 */
#include "kernel.h"

static atomic_int first, second, x;

static void on_first(int sig)
{
	first++;
}

static void on_second(int sig)
{
	second++;
}

static void *work(void *arg)
{
	for (int i = 0; i < 3; i++)
		x++;
	return NULL;
}

int main(void)
{
	struct sigaction a = {.sa_handler = on_first}, old;
	pthread_t t;

	assert(!sigaction(SIGUSR1, &a, NULL));
	t = start(work, NULL);
	pthread_kill(t, SIGUSR1);
	a.sa_handler = on_second;
	assert(!sigaction(SIGUSR1, &a, &old) && old.sa_handler == on_first);
	join(t);
#ifdef WRONG
	assert(!first);
#else
	assert(first + second <= 1);
#endif
	return 0;
}
