/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* A normal mutex locked again by its owner, on one path only. */
#include "../clean/two.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int calls;

static void helper(void)
{
	pthread_mutex_lock(&m);
	calls++;
	pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (calls)
		helper();
	calls++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	two(worker, NULL, worker, NULL);
	return 0;
}
