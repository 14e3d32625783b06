/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* Two threads join the same third one. */
#include "../clean/two.h"

static pthread_t worker_thread;

static void *worker(void *arg)
{
	return arg;
}

static void *joiner(void *arg)
{
	pthread_join(worker_thread, NULL);
	return arg;
}

int main(void)
{
	pthread_create(&worker_thread, NULL, worker, NULL);
	two(joiner, NULL, joiner, NULL);
	return 0;
}
