/* SPDX-License-Identifier: ISC */
/*
 * Three threads at a barrier for two: the last one waits for ever. With four, it is undetermined
 * which threads meet, which POSIX allows: reported only on request.
 *
 * verdict tso deadlock noreorder -- --strategy dfs
 * verdict sc deadlock noreorder -- --strategy random
 * report tso "waits for ever at barrier barrier (" "): 1 of 2 threads has arrived, 3 threads use it"
 * verdict -DMORE tso ok -- --strategy random --executions 300
 * verdict -DMORE tso misuse -- --strategy dfs --detect=+barrier
 * verdict -DMORE tso misuse -- --strategy random --detect=+barrier
 * verdict -DMORE rc11 misuse -- --strategy graph --detect=+barrier
 * verdict -DMORE sc misuse -- --strategy graph --detect=+barrier
 * report -DMORE rc11 "more threads wait at a barrier than its count of 2"
 */
#include "../clean/two.h"

#ifdef MORE
#define N 4
#else
#define N 3
#endif

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t t[N];

	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
