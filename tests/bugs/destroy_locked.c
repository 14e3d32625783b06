/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* The mutex is destroyed while the other thread may still hold it. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool done;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	done = true;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *owner(void *arg)
{
	if (done)
		pthread_mutex_destroy(&m);
	return arg;
}

int main(void)
{
	two(worker, NULL, owner, NULL);
	return 0;
}
