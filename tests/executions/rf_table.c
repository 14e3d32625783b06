/* SPDX-License-Identifier: ISC */
/* Dynamic programming on a table that the threads share without a lock: programs like those of
 * table 9 of "The Reads-From Equivalence for the TSO and PSO Memory Models" (OOPSLA 2021). THREADS
 * threads fill the same table, and do not compute existing cells; several may compute the same
 * cell, and then write the same value. All accesses are relaxed, as the paper takes them.
 *
 * Its programs (bin_noconsec, coin_all, coin_min, rod_cut, lis; each bottom-up and top-down) are
 * not public, and its text names only the five problems, so their counts are none of ours. What the
 * tables do tell is another shape than this one: a row more multiplies those of bin_noconsec_bu3 by
 * 5, 6 and 8 (sc, tso, pso); here, where every thread computes every cell and reads the two before
 * it, by more than 30.
 *
 *     BU     bottom-up: a[i] = a[i-1] + a[i-2]
 *     TD     the same top-down, what has been computed is remembered
 *
 * As values do not identify their writer, there are far more execution graphs than reads-from functions.
 *
 * counts-dfs -DBU -DTHREADS=2 -DN=2 sc 3
 * counts-rf -DBU -DTHREADS=2 -DN=4 sc 74
 * counts-rf -DBU -DTHREADS=2 -DN=4 tso,pso 77
 * counts -DBU -DTHREADS=2 -DN=4 pso 158
 * counts-rf -DBU -DN=3 sc 289
 * counts -DBU -DN=3 pso 1161
 * counts-rf -DTD -DTHREADS=2 -DN=4 sc 9
 * counts-rf -DTD -DTHREADS=2 -DN=4 pso 13
 * counts-rf-bench -DBU -DN=4 sc 15042
 * counts-rf-bench -DBU -DN=4 tso 18637
 * counts-rf-bench -DBU -DN=4 pso 20590
 * counts-bench -DBU -DN=4 sc 76701
 */
#include "counts.h"

#ifndef N
#define N 3
#endif
#ifndef THREADS
#define THREADS 3
#endif

atomic_int a[N + 1]; /* 0: not computed yet */

#ifdef TD
static int value(int i)
{
	int v = load(&a[i], RLX);

	if (!v) {
		v = value(i - 1) + value(i - 2);
		store(&a[i], v, RLX);
	}
	return v;
}

THREAD(work)
{
	return (void *)(long)value(N);
}
#else
THREAD(work)
{
	for (int i = 2; i <= N; i++)
		if (!load(&a[i], RLX)) {
			int before = load(&a[i - 1], RLX);

			store(&a[i], before + load(&a[i - 2], RLX), RLX);
		}
	return NULL;
}
#endif

int main(void)
{
	atomic_init(&a[0], 1);
	atomic_init(&a[1], 1);
	start_many(work, THREADS);
	join_all(NULL);
	return finish();
}
