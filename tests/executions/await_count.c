/* SPDX-License-Identifier: ISC */
/* A thread waits for a flag, one of N - 1 values that another one stores; iteration counts add no
 * executions.
 *
 * -DSTATISTICS: it counts its iterations, without using the count. -DEITHER: one of two equal
 * results, by the iteration count. -DBEFORE: the same load before the loop and at the end of an
 * iteration; at -O0 the loop stays so.
 *
 * counts -O0 -DN=4 sc,tso,pso,ra,rc11 1
 * counts -O0 -DN=4 -DSTATISTICS sc,tso,pso,ra,rc11 1
 * counts -O2 -DN=4 -DSTATISTICS sc,tso,pso,ra,rc11 1
 * counts -O1 -DN=4 -DEITHER sc,tso,pso,ra,rc11 1
 * counts -O2 -DN=4 -DEITHER sc,tso,pso,ra,rc11 1
 * counts --gcc -O0 -DN=4 -DSTATISTICS sc,tso,pso,ra,rc11 1
 * counts --gcc -O2 -DN=4 -DSTATISTICS rc11 1
 * counts -O0 -DN=42 -DBEFORE sc,tso,pso,ra,rc11 1
 * counts -O1 -DN=42 -DBEFORE sc,tso,pso,ra,rc11 1
 */
#include "counts.h"

atomic_int flag;

THREAD(wait)
{
	unsigned turns = 0;

#ifdef BEFORE
	int now = load(&flag, RLX);

	while (now != N - 1)
		now = load(&flag, RLX);
#else
	while (load(&flag, ACQ) != N - 1) {
#if defined(STATISTICS) || defined(EITHER)
		turns++;
#endif
	}
#endif
#ifdef EITHER
	return turns > 5 ? arg : NULL;
#else
	(void)turns;
	return NULL;
#endif
}

THREAD(raise)
{
	for (int i = 1; i < N; i++)
		store(&flag, i, REL);
	return NULL;
}

int main(void)
{
	start(wait, 0);
	start(raise, 1);
	join_all(NULL);
	return 0;
}
