/* SPDX-License-Identifier: ISC */
/* Programs with a mutex, of the measurements of "The Reads-From Equivalence for the TSO and PSO Memory Models"
 * (OOPSLA 2021, tables 2, 4 and 5). Who takes the lock after whom is a matter of reads-from, so there are as
 * many reads-from functions as execution graphs. Closed forms: theory/rf.md, appendix C.
 *
 *     INC       N threads: lock; x = x + 1; unlock; read x                 (N!)^2
 *     BUFFER    a producer and a consumer, N rounds each, of one slot      C(2N, N)
 *     POINTER   a thread reads x N times, N threads lock and write x       (2N)! / N!
 *
 * counts-rf -DINC -DN=2 pso 4
 * counts-rf -DINC -DN=3 sc,tso,pso 36
 * counts-rf -DINC -DN=4 sc,tso,pso 576
 * counts -DINC -DN=3 tso 36
 * counts-rf -DBUFFER -DN=2 pso 6
 * counts-rf -DBUFFER -DN=5 sc,tso,pso 252
 * counts -DBUFFER -DN=5 tso 252
 * counts-rf -DPOINTER -DN=2 pso 12
 * counts-rf -DPOINTER -DN=4 sc,tso,pso 1680
 * counts -DPOINTER -DN=3 tso 120
 * counts-rf-bench -DINC -DN=5 sc,tso,pso 14400
 * counts-rf-bench -DBUFFER -DN=8 sc,tso,pso 12870
 * counts-rf-bench -DPOINTER -DN=5 sc,tso,pso 30240
 */
#include "counts.h"

#ifndef N
#define N 3
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int x, full;

#if defined(INC)
THREAD(work)
{
	pthread_mutex_lock(&mutex);
	store(&x, load(&x, RLX) + 1, RLX);
	pthread_mutex_unlock(&mutex);
	return (void *)(long)load(&x, RLX);
}
#elif defined(BUFFER)
THREAD(work)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		if (load(&full, RLX) == INDEX)
			store(&full, !INDEX, RLX);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}
#else
THREAD(work)
{
	pthread_mutex_lock(&mutex);
	store(&x, INDEX + 1, RLX);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

THREAD(look)
{
	int sum = 0;

	for (int i = 0; i < N; i++)
		sum = sum * 5 + load(&x, RLX);
	return (void *)(long)sum;
}
#endif

int main(void)
{
#ifdef BUFFER
	start_many(work, 2);
#else
	start_many(work, N);
#endif
#ifdef POINTER
	start(look, 0);
#endif
	join_all(NULL);
	return 0;
}
