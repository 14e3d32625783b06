/* SPDX-License-Identifier: ISC */
/* N threads meet at a barrier and then contend for a test-and-test-and-set lock: as many executions
 * as of the lock alone, (N!)^2.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,pso,ra,rc11 36
 * counts-bench -DN=4 rc11 576
 */
#include "counts.h"

pthread_barrier_t barrier;
atomic_int locked;
int inside;

THREAD(thread)
{
	pthread_barrier_wait(&barrier);
	do {
		while (load(&locked, ACQ))
			;
	} while (!cas(&locked, 0, 1, ACQ));
	inside++;
	store(&locked, 0, REL);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, N);
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
