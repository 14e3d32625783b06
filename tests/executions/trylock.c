/* SPDX-License-Identifier: ISC */
/* Two threads try a mutex once; the holder increments a counter and releases it. Either both get
 * it, in one of two orders, or one finds it held, 2: four executions. -DHOLD: it is not released:
 * 2, 3, ... N. (GenMC 0.11 finds 3 of the four.)
 *
 * counts sc,tso,pso,ra,rc11 4
 * counts -DHOLD -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DHOLD -DN=4 sc,tso,pso,ra,rc11 4
 */
#include "counts.h"

#ifndef N
#define N 2
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;

THREAD(thread)
{
	if (pthread_mutex_trylock(&mutex))
		return NULL;
	counter++;
#ifndef HOLD
	pthread_mutex_unlock(&mutex);
#endif
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(counter >= 1);
	return 0;
}
