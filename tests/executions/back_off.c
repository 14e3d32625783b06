/* SPDX-License-Identifier: ISC */
/* Philosophers who take a fork, try to take the other, and put the first back if they fail: two of
 * them, or, with -DN=3, as many. They could do so for ever only in lockstep, which is neither a
 * livelock nor an execution: the executions are the orders in which they eat, N!. -DYIELD: each
 * yields in between.
 *
 * counts sc,tso,pso,ra,rc11 2
 * counts -O0 sc,tso,pso,ra,rc11 2
 * counts -O2 sc,tso,pso,ra,rc11 2
 * counts -DYIELD sc,rc11 2
 * counts -DYIELD -O2 sc,rc11 2
 * counts -DN=3 sc,rc11 6
 */
#include "counts.h"

#include <sched.h>

#ifndef N
#define N 2
#endif

pthread_mutex_t fork_[N];

THREAD(philosopher)
{
	pthread_mutex_t *first = &fork_[INDEX], *second = &fork_[(INDEX + 1) % N];

	for (;;) {
		pthread_mutex_lock(first);
		if (!pthread_mutex_trylock(second))
			break;
		pthread_mutex_unlock(first);
#ifdef YIELD
		sched_yield();
#endif
	}
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return NULL;
}

int main(void)
{
	start_many(philosopher, N);
	join_all(NULL);
	return 0;
}
