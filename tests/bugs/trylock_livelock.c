/* SPDX-License-Identifier: ISC */
/* finding: livelock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso; random: rc11 ra */
/* A loop around trylock for a mutex that its holder never releases. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg)
{
	pthread_mutex_lock(&m);
	return arg;
}

static void *taker(void *arg)
{
	while (pthread_mutex_trylock(&m))
		sched_yield();
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(holder, NULL, taker, NULL);
	return 0;
}
