/* SPDX-License-Identifier: ISC */
/* Small algorithms of the measurements of "The Reads-From Equivalence for the TSO and PSO Memory
 * Models" (OOPSLA 2021, tables 2 and 3). All accesses are relaxed, as in the paper. The counts are
 * the paper's, and those of closed forms that fit them.
 *
 *     OPT_LOCK      threads try N times: x = i; y = 1; if (x == i) { read y; be done }. 2 threads:
 *                   sc 12N-5, tso 16N-9, pso 4N^2+8N-5
 *     ERATOSTHENES  two threads sieve the numbers up to N, in a common array
 *     LASTZERO      array[0..N]; a thread looks for the last 0, thread j: array[j] = array[j-1] +
 *                   1. (N+3) 2^(N-2); graphs: the same
 *     PARAMETRIC    private stores and loads, then N times: v = me; read v. Central trinomial
 *                   coefficients
 *     CONTROL       N readers of x, N writers of y; if (!y) z = 1; if (z && !y) x = 1: 2^N+2N+1
 *
 * Not rebuilt, of the programs in the paper's tables:
 *
 *     check_bad_array, electron_microscope, rv_example, seqlock_atomic
 *                            only the name and counts are known, and no program that is public has
 *                            them
 *     fillarray_false, _true likewise; that they share an array and its index determines nothing
 *     scull_loop, _Rloop, _Wloop
 *                            a driver for character devices: its functions are too many to guess
 *                            which were kept
 *     47_ticket_hc           of 48_ticket_low, which is here, with a loop that is not shown
 *
 * The ten of table 9 (dynamic programming) are not public either: rf_table.c has programs of their
 * kind. All others are in the files rf_*.c, by what they do (indexer is in indexer.c). Programs
 * whose counts differ from the paper's are named there with the reason: mostly that the paper does
 * not show where loops were cut.
 *
 * counts-rf -DOPT_LOCK -DN=1 pso 7
 * counts-rf -DOPT_LOCK -DN=8 sc 91
 * counts-rf -DOPT_LOCK -DN=8 tso 119
 * counts-rf -DOPT_LOCK -DN=8 pso 315
 * counts -DOPT_LOCK -DN=2 sc 42
 * counts -DOPT_LOCK -DN=2 tso 58
 * counts -DOPT_LOCK -DN=2 pso 70
 * counts-rf -DOPT_LOCK -DTHREADS=3 -DN=2 sc 3103
 * counts-rf -DOPT_LOCK -DTHREADS=3 -DN=2 tso 5080
 * counts-rf -DOPT_LOCK -DTHREADS=3 -DN=2 pso 7852
 * counts-rf -DERATOSTHENES -DN=13 sc 535
 * counts-rf -DERATOSTHENES -DN=13 tso 1467
 * counts-rf -DERATOSTHENES -DN=13 pso 3375
 * counts -DERATOSTHENES -DN=13 sc 3358
 * counts-rf -DLASTZERO -DN=3 pso 12
 * counts-rf -DLASTZERO -DN=8 sc,tso,pso 704
 * counts-rf -DPARAMETRIC -DN=1 pso 3
 * counts-rf -DPARAMETRIC -DN=3 sc,tso,pso 141
 * counts -DPARAMETRIC -DN=3 tso 328
 * counts-rf -DCONTROL -DN=3 pso 15
 * counts-rf -DCONTROL -DN=7 sc,tso,pso 143
 * counts-rf-bench -DERATOSTHENES -DN=17 sc 4667
 * counts-rf-bench -DERATOSTHENES -DN=17 tso 29217
 * counts-rf-bench -DLASTZERO -DN=12 sc,tso,pso 15360
 * counts-rf-bench -DPARAMETRIC -DN=5 sc,tso,pso 8953
 * counts-rf-bench -DCONTROL -DN=10 sc,tso,pso 1045
 */
#include "counts.h"

#ifndef N
#define N 3
#endif
#ifndef THREADS
#define THREADS 2
#endif

atomic_int x, y, z, array[N + 1], own[THREADS];

#if defined(OPT_LOCK)
THREAD(work)
{
	for (int i = 0; i < N; i++) {
		store(&x, INDEX + 1, RLX);
		store(&y, 1, RLX);
		if (load(&x, RLX) == INDEX + 1)
			return (void *)(long)load(&y, RLX);
	}
	return NULL;
}
#elif defined(ERATOSTHENES)
THREAD(work)
{
	for (int i = 2; i <= N; i++) {
		if (load(&array[i], RLX))
			continue;
		for (int k = 2 * i; k <= N; k += i)
			store(&array[k], 1, RLX);
	}
	return NULL;
}
#elif defined(LASTZERO)
THREAD(look)
{
	int i = N;

	while (load(&array[i], RLX))
		i--;
	return (void *)(long)i;
}

THREAD(work)
{
	int j = INDEX + 1;

	store(&array[j], load(&array[j - 1], RLX) + 1, RLX);
	return NULL;
}
#elif defined(PARAMETRIC)
THREAD(work)
{
	int sum = 0;

	for (int i = 0; i < 5; i++) {
		store(&own[INDEX], i, RLX);
		sum += load(&own[INDEX], RLX);
	}
	for (int i = 0; i < N; i++) {
		store(&x, INDEX + 1, RLX);
		sum = 3 * sum + load(&x, RLX);
	}
	return (void *)(long)sum;
}
#else
THREAD(read_x)
{
	return (void *)(long)load(&x, RLX);
}

THREAD(write_y)
{
	store(&y, 1, RLX);
	return NULL;
}

THREAD(first)
{
	if (!load(&y, RLX))
		store(&z, 1, RLX);
	return NULL;
}

THREAD(second)
{
	if (load(&z, RLX) && !load(&y, RLX))
		store(&x, 1, RLX);
	return NULL;
}
#endif

int main(void)
{
#if defined(LASTZERO)
	start_many(work, N);
	start(look, 0);
#elif defined(CONTROL)
	start_many(read_x, N);
	start_many(write_y, N);
	start(first, 0);
	start(second, 0);
#else
	start_many(work, THREADS);
#endif
	join_all(NULL);
	return 0;
}
