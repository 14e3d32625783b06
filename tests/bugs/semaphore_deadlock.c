/* SPDX-License-Identifier: ISC */
/* finding: deadlock; models: sc tso pso; reorder: no */
/* graph: rc11 sc; dfs: tso */
/* Each needs both of two units and takes them one by one. */
#include <semaphore.h>
#include "../clean/two.h"

static sem_t units;

static void *worker(void *arg)
{
	sem_wait(&units);
	sem_wait(&units);
	sem_post(&units);
	sem_post(&units);
	return arg;
}

int main(void)
{
	sem_init(&units, 0, 2);
	two(worker, NULL, worker, NULL);
	return 0;
}
