/* SPDX-License-Identifier: ISC */
/* Threads that read and then write the same place, without any lock: programs of the measurements
 * of "The Reads-From Equivalence for the TSO and PSO Memory Models" (OOPSLA 2021, tables 2 to 5).
 * All accesses are relaxed, as the paper takes them. The closed forms fit the paper's counts.
 *
 *     RA       N threads: x = x + 1                                (N+1)^(N-1),    graphs: (N!)^2
 *     FKP2013  the same, and a thread that reads x                 (N+1)^N,        (N+1) (N!)^2
 *     ACCOUNT  N deposits and a withdrawal, main reads afterwards  (N+1)^(N+1),    ((N+1)!)^2
 *     AIRLINE  N sales while seats are left, main reads            N^N,            (N!)^2
 *     FIB      i += j and j += i, N times each                     sc: the 2N-th central trinomial
 *              coefficient;
 *                                            tso, pso: (2N)! (2N+1)! / (N! (N+1)!)^2; graphs: the
 *                                            same
 *     SPAMMER  N threads write to all others, then read their own  tso, pso: N^N,  (N!)^N
 *
 * counts-rf -DRA -DN=3 pso 16
 * counts-rf -DRA -DN=4 sc,tso,pso 125
 * counts-rf -DRA -DN=5 sc,tso,pso 1296
 * counts -DRA -DN=4 tso 576
 * counts-rf -DFKP2013 -DN=3 pso 64
 * counts-rf -DFKP2013 -DN=4 sc,tso,pso 625
 * counts -DFKP2013 -DN=3 tso 144
 * counts-rf -DACCOUNT -DN=3 pso 256
 * counts-rf -DACCOUNT -DN=4 sc,tso,pso 3125
 * counts -DACCOUNT -DN=3 tso 576
 * counts-rf -DAIRLINE -DN=4 pso 256
 * counts-rf -DAIRLINE -DN=5 sc,tso,pso 3125
 * counts -DAIRLINE -DN=4 tso 576
 * counts-rf -DFIB -DN=2 sc 19
 * counts-rf -DFIB -DN=3 sc 141
 * counts-rf -DFIB -DN=4 sc 1107
 * counts-rf -DFIB -DN=2 tso,pso 20
 * counts-rf -DFIB -DN=3 tso,pso 175
 * counts-rf -DFIB -DN=4 tso,pso 1764
 * counts -DFIB -DN=3 tso,pso 175
 * counts-rf -DSPAMMER -DN=3 sc 19
 * counts-rf -DSPAMMER -DN=3 tso,pso 27
 * counts-rf -DSPAMMER -DN=4 sc 178
 * counts-rf -DSPAMMER -DN=4 tso,pso 256
 * counts -DSPAMMER -DN=3 tso,pso 216
 * counts-rf-bench -DRA -DN=6 sc,tso,pso 16807
 * counts-rf-bench -DACCOUNT -DN=5 sc,tso,pso 46656
 * counts-rf-bench -DFIB -DN=5 tso,pso 19404
 */
#include "counts.h"

#ifndef N
#define N 3
#endif

atomic_int x, y, place[N];

#if defined(AIRLINE)
atomic_int closed;

THREAD(work)
{
	int sold;

	if (load(&closed, RLX))
		return NULL;
	sold = load(&x, RLX);
	if (sold >= N - 1)
		store(&closed, 1, RLX);
	else
		store(&x, sold + 1, RLX);
	return NULL;
}
#elif defined(FIB)
THREAD(work)
{
	atomic_int *mine = INDEX ? &y : &x, *other = INDEX ? &x : &y;

	for (int i = 0; i < N; i++)
		store(mine, load(mine, RLX) + load(other, RLX), RLX);
	return NULL;
}
#elif defined(SPAMMER)
THREAD(work)
{
	int me = INDEX;

	for (int i = 0; i < N; i++)
		if (i != me)
			store(&place[i], me + 1, RLX);
	return (void *)(long)load(&place[me], RLX);
}
#else
THREAD(work)
{
	store(&x, load(&x, RLX) + 1, RLX);
	return NULL;
}
#endif

#ifdef FKP2013
THREAD(reader)
{
	return (void *)(long)load(&x, RLX);
}
#endif

int main(void)
{
#if defined(ACCOUNT)
	start_many(work, N + 1);
#elif defined(FIB)
	start_many(work, 2);
#else
	start_many(work, N);
#endif
#ifdef FKP2013
	start(reader, 0);
#endif
	join_all(NULL);
#if defined(ACCOUNT) || defined(AIRLINE)
	return load(&x, RLX) > N + 1;
#endif
	return 0;
}
