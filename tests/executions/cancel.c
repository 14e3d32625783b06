/* SPDX-License-Identifier: ISC */
/* A thread with N cancellation points, and one that cancels it: at one of the points, or not at all. With
 * WAITS the points are waits for a semaphore.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 4
 * counts -DN=6 sc,rc11 7
 * counts -DN=1 -DWAITS sc,tso,pso,ra,rc11 2
 * counts -DN=3 -DWAITS sc,tso,pso,ra,rc11 4
 */
#include "counts.h"

#include <semaphore.h>

sem_t sem;
int passed;

THREAD(victim)
{
	for (int i = 0; i < N; i++) {
#ifdef WAITS
		sem_wait(&sem);
#else
		pthread_testcancel();
#endif
		passed++;
	}
	return NULL;
}

THREAD(cancels)
{
	pthread_cancel(counts_id[0]);
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, N);
	start(victim, 0);
	start(cancels, 1);
	join_all(NULL);
	return 0;
}
