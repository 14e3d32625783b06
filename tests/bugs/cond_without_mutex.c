/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* The waiter waits with a mutex that it has not locked. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&other);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&other);
	return arg;
}

static void *signaller(void *arg)
{
	pthread_mutex_lock(&other);
	ready = true;
	pthread_mutex_unlock(&other);
	pthread_cond_broadcast(&c);
	return arg;
}

int main(void)
{
	two(waiter, NULL, signaller, NULL);
	return 0;
}
