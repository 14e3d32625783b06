/* SPDX-License-Identifier: ISC */
/* finding: misuse; models: sc tso; reorder: no */
/* A thread waits at a barrier before main has initialised it. */
#include "../clean/two.h"

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	sched_yield();
	pthread_barrier_init(&barrier, NULL, 1);
	pthread_join(t, NULL);
	return 0;
}
