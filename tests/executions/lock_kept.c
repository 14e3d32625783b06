/* SPDX-License-Identifier: ISC */
/* N threads take a mutex, or with -DPERMIT a semaphore's only permit, and keep it; main does not
 * wait for them. One execution for each possible holder: the others still wait when the process
 * ends.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DPERMIT -DN=3 sc,tso,pso,ra,rc11 3
 * counts-rf -DN=2 sc,tso,pso 2
 * counts-rf -DPERMIT -DN=3 sc,tso,pso 3
 */
#include "counts.h"

#include <semaphore.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t permit;

THREAD(keep)
{
#ifdef PERMIT
	sem_wait(&permit);
#else
	pthread_mutex_lock(&mutex);
#endif
	return NULL;
}

int main(void)
{
	sem_init(&permit, 0, 1);
	start_many(keep, N);
	return 0;
}
