/* SPDX-License-Identifier: ISC */
/* N threads take a mutex L times, and increment a plain counter: the orders in which they can
 * enter, (N*L)! / (L!)^N. -DTWO: two mutexes one within the other, always in the same order: no
 * more.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 sc,rc11 120
 * counts -DN=6 rc11 720
 * counts -DN=2 -DL=2 sc,tso,pso,ra,rc11 6
 * counts -DN=2 -DL=4 sc,tso,pso,ra,rc11 70
 * counts -DN=3 -DL=2 sc,tso,pso,ra,rc11 90
 * counts -DN=3 -DL=3 rc11 1680
 * counts-bench -DN=3 -DL=4 rc11 34650
 * counts -DTWO -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DTWO -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DTWO -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DTWO -DN=5 rc11 120
 */
#include "counts.h"

#ifndef L
#define L 1
#endif

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int counter;

THREAD(thread)
{
	for (int i = 0; i < L; i++) {
		pthread_mutex_lock(&outer);
#ifdef TWO
		pthread_mutex_lock(&inner);
#endif
		counter++;
#ifdef TWO
		pthread_mutex_unlock(&inner);
#endif
		pthread_mutex_unlock(&outer);
	}
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	pthread_mutex_lock(&inner); /* free again */
	pthread_mutex_unlock(&inner);
	assert(counter == N * L);
	return 0;
}
