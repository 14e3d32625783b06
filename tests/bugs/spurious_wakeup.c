/* SPDX-License-Identifier: ISC */
/* finding: assertion; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso; options: --spurious 1 */
/*
 * A wait that is not in a loop: it may end spuriously.
 *
 * report sc "wake from condition c, spuriously"
 */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	if (!ready)
		pthread_cond_wait(&c, &m);
	assert(ready);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *signaller(void *arg)
{
	pthread_mutex_lock(&m);
	ready = true;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(waiter, NULL, signaller, NULL);
	return 0;
}
