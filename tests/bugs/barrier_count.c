/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* A barrier for three threads, but only two arrive. */
#include "../clean/two.h"

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 3);
	two(worker, NULL, worker, NULL);
	return 0;
}
