/* SPDX-License-Identifier: ISC */
/* SB with each access under one mutex: sequentially consistent, so three outcomes; and the four
 * critical sections of two threads come in C(4,2) = 6 orders. -DTWO: a mutex a variable: x's
 * sections come in 2 orders, y's too, and one of the four combinations is a cycle.
 *
 * counts sc,tso,pso,ra,rc11 6
 * counts -DTWO sc,tso,pso,ra,rc11 3
 */
#include "counts.h"

pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x[2];

#ifdef TWO
#define MUTEX(i) (&mutex[i])
#else
#define MUTEX(i) (&mutex[0])
#endif

THREAD(thread)
{
	int me = INDEX, r;

	pthread_mutex_lock(MUTEX(me));
	x[me] = 1;
	pthread_mutex_unlock(MUTEX(me));
	pthread_mutex_lock(MUTEX(1 - me));
	r = x[1 - me];
	pthread_mutex_unlock(MUTEX(1 - me));
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	void *r[2];

	start_many(thread, 2);
	join_all(r);
	assert(GET(r[0], 0) || GET(r[1], 0));
	return 0;
}
