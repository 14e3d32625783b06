/* SPDX-License-Identifier: ISC */
/* Threads that communicate through two places or an array, without locks: programs of the
 * measurements of "The Reads-From Equivalence for the TSO and PSO Memory Models" (OOPSLA 2021,
 * tables 2, 3 and 5). All accesses are relaxed, as the paper takes them. Of OVERTAKE the paper has
 * only the name and counts; a thread that reads 1 + N (N+1) things in PSO, N at a time, is this
 * one, and it has all the paper's counts.
 *
 *     OVERTAKE   N threads x = me; y = me, N threads: if (y) read x.      pso: (N^2+N+1)^N, graphs:
 *                times (N!)^2
 *     REORDER    N threads x = 1; y = -1, one compares x and y            sc, tso: 2N^3+N^2+1
 *     PGSQL      a ring of two with latches and flags                     sc, tso: ((N+2)^2N - 1) /
 *                (N+1)
 *     APPROX     N threads append to a list of N-2, main empties it
 *     NONDET     N threads: array[x] = 1; x = x + 1, main adds it up
 *     SIGMA      main: x = x + 1; start, N times; threads: array[x] = 1   graphs: (2N)! / (2^N N!)
 *     MONABSEX   N threads write x, then read it                          (N+1)^(N-1), graphs:
 *                (N!)^2
 *     BUBBLE     N threads, a pass of bubble sort each, of N numbers that begin in descending order
 *     SINGLETON  a thread makes an object, N write to it, main reads      N, graphs: N!
 *
 * All counts are the paper's where it has this size. How often PGSQL looks whether it may go on is
 * not said: N + 2 times give the paper's counts in all three models; the program that is readable
 * upstream has N. Execution graphs of APPROX are 135900 under pso with N=5, in the paper as many as
 * under sc (127740): Nidhugg 0.4 has as many as we (N=4: 2508, sc 2460), as a list's slot may be
 * filled by an old append after its counter has been used again.
 *
 * counts-dfs -DOVERTAKE -DN=1 pso 3
 * counts-rf -DOVERTAKE -DN=2 pso 49
 * counts-rf -DOVERTAKE -DN=3 tso 826
 * counts-rf -DOVERTAKE -DN=3 pso 2197
 * counts-rf -DREORDER -DN=4 tso 145
 * counts-rf -DREORDER -DN=4 pso 149
 * counts-rf -DPGSQL -DN=2 sc,tso 85
 * counts-rf -DAPPROX -DN=4 sc,pso 580
 * counts-dfs -DNONDET -DN=2 pso 4
 * counts-rf -DNONDET -DN=4 sc,pso 292
 * counts -DSIGMA -DN=5 sc 945
 * counts-rf -DSIGMA -DN=5 sc,pso 424
 * counts-dfs -DMONABSEX -DN=2 tso 3
 * counts-rf -DMONABSEX -DN=5 sc,pso 1296
 * counts-rf -DBUBBLE -DN=2 sc,pso 10
 * counts-rf -DSINGLETON -DN=5 sc,pso 5
 * counts-bench -DOVERTAKE -DN=3 tso 6168
 * counts-rf-bench -DOVERTAKE -DN=4 sc,tso 62893
 * counts-rf-bench -DPGSQL -DN=3 sc,tso 3906
 * counts-rf-bench -DPGSQL -DN=3 pso 166666
 * counts-rf-bench -DREORDER -DN=30 sc,tso 54901
 * counts-rf-bench -DAPPROX -DN=5 sc,tso,pso 9945
 * counts-rf-bench -DNONDET -DN=6 sc,tso,pso 75486
 * counts-rf-bench -DSIGMA -DN=7 sc,tso,pso 30952
 * counts-rf-bench -DBUBBLE -DN=3 sc,tso 51216
 * counts-rf-bench -DBUBBLE -DN=3 pso 57702
 */
#include "counts.h"

#ifndef N
#define N 3
#endif
#ifdef SIGMA
#define LENGTH (N + 1)
#else
#define LENGTH N
#endif

atomic_int x, y, array[N + 1], latch[2], flag[2];
_Atomic(atomic_int *) object;

#if defined(OVERTAKE) || defined(REORDER)
THREAD(write_two)
{
#ifdef REORDER
	store(&x, 1, RLX);
	store(&y, -1, RLX);
#else
	store(&x, INDEX + 1, RLX);
	store(&y, INDEX + 1, RLX);
#endif
	return NULL;
}

THREAD(read_two)
{
#ifdef REORDER
	return (void *)(long)((!load(&x, RLX) && !load(&y, RLX)) ||
			      (load(&x, RLX) == 1 && load(&y, RLX) == -1));
#else
	return (void *)(long)(load(&y, RLX) ? load(&x, RLX) : 0);
#endif
}
#elif defined(PGSQL)
long looked[2]; /* stored, so that each number of looks is another state */

static bool wait_for(atomic_int *p, int me)
{
	for (int i = 0; i < N + 2; i++) {
		looked[me] = i;
		if (load(p, RLX))
			return true;
	}
	return false;
}

THREAD(work)
{
	int me = INDEX, next = 1 - me;

	for (int i = 0; i < N && wait_for(&latch[me], me); i++) {
		if (load(&latch[me], RLX)) /* assert(!latch || flag) */
			(void)load(&flag[me], RLX);
		store(&latch[me], 0, RLX);
		if (load(&flag[me], RLX)) {
			store(&flag[me], 0, RLX);
			store(&flag[next], 1, RLX);
			store(&latch[next], 1, RLX);
		}
	}
	return NULL;
}
#elif defined(APPROX)
THREAD(work)
{
	int i = load(&x, RLX);

	if (i < N - 2) {
		store(&array[i], INDEX, RLX);
		store(&x, i + 1, RLX);
	}
	return NULL;
}

static bool remove_last(void)
{
	int i = load(&x, RLX);

	do {
		if (!i)
			return false;
		(void)load(&array[i - 1], RLX);
	} while (load(&x, RLX) != i);
	store(&x, i - 1, RLX);
	return true;
}
#elif defined(BUBBLE)
THREAD(work)
{
	for (int i = 0; i < N - 1; i++) {
		int a = load(&array[i], RLX), b = load(&array[i + 1], RLX);

		if (a > b) {
			store(&array[i], b, RLX);
			store(&array[i + 1], a, RLX);
		}
	}
	return NULL;
}
#elif defined(MONABSEX)
THREAD(work)
{
	store(&x, INDEX + 1, RLX);
	return (void *)(long)load(&x, RLX);
}
#elif defined(SINGLETON)
THREAD(make)
{
	store(&object, &x, RLX);
	return NULL;
}

THREAD(work)
{
	store(load(&object, RLX), INDEX == N - 1 ? 2 : 1, RLX);
	return NULL;
}
#else
THREAD(work)
{
	int i = load(&x, RLX);

	store(&array[i], 1, RLX);
#ifdef NONDET
	store(&x, i + 1, RLX);
#endif
	return NULL;
}
#endif

int main(void)
{
	int sum = 0;

#if defined(OVERTAKE) || defined(REORDER)
	start_many(write_two, N);
#ifdef REORDER
	start(read_two, 0);
#else
	start_many(read_two, N);
#endif
#elif defined(PGSQL)
	atomic_init(&latch[0], 1);
	atomic_init(&flag[0], 1);
	start_many(work, 2);
#elif defined(SIGMA)
	for (int i = 0; i < N; i++) {
		store(&x, load(&x, RLX) + 1, RLX);
		start(work, i);
	}
#elif defined(SINGLETON)
	start(make, 0);
	join_all(NULL);
	counts_n = 0;
	start_many(work, N);
#else
#ifdef BUBBLE
	for (int i = 0; i < N; i++)
		atomic_init(&array[i], N - i);
#endif
	start_many(work, N);
#endif
	join_all(NULL);
#if defined(APPROX)
	while (remove_last())
		;
#elif defined(SINGLETON)
	sum = load(load(&object, RLX), RLX);
#elif defined(NONDET) || defined(SIGMA) || defined(BUBBLE)
	for (int i = 0; i < LENGTH; i++)
		sum += load(&array[i], RLX);
#endif
	return sum < 0 ? 1 : finish();
}
