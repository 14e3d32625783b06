/* SPDX-License-Identifier: ISC */
/* A thread waits for a flag, one of N - 1 values that another one stores; iteration counts add no
 * executions.
 *
 * -DSTATISTICS: it counts its iterations, without using the count. -DEITHER: one of two equal
 * results, by the iteration count. -DBEFORE: the same load before the loop and at the end of an
 * iteration; at -O0 the loop stays so.
 *
 * -DGLOBAL: the count is in memory. -DSHOWN: main prints it at the end. -DADDED: WAITERS threads count
 * together, atomically. -DLIMIT: after a hundred iterations the thread also counts that.
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
 * counts -O0 -DN=4 -DGLOBAL sc,tso,pso,ra,rc11 1
 * counts -O2 -DN=4 -DGLOBAL -DSHOWN sc,tso,pso,ra,rc11 1
 * counts -O0 -DN=4 -DSTATISTICS -DLIMIT sc,tso,pso,ra,rc11 10
 * counts -O0 -DN=4 -DGLOBAL -DSHOWN -DLIMIT sc,tso,pso,ra,rc11 10
 * counts -O1 -DN=3 -DADDED -DSHOWN -DWAITERS=2 sc,tso,pso,ra,rc11 1
 * counts --gcc -O0 -DN=4 -DGLOBAL -DSHOWN sc,tso,pso,ra,rc11 1
 * counts --gcc -O2 -DN=3 -DADDED -DWAITERS=2 sc,tso,pso,ra,rc11 1
 */
#include "counts.h"

#include <stdio.h>

#ifndef WAITERS
#define WAITERS 1
#endif

atomic_int flag;

#ifdef GLOBAL
unsigned long turns;
#elif defined ADDED
atomic_ulong turns;
#endif
unsigned long many;

THREAD(wait)
{
#if !defined(GLOBAL) && !defined(ADDED)
	unsigned turns = 0;
#endif
	int tries = 0;

#ifdef BEFORE
	int now = load(&flag, RLX);

	while (now != N - 1)
		now = load(&flag, RLX);
#else
	while (load(&flag, ACQ) != N - 1) {
#if defined(STATISTICS) || defined(EITHER) || defined(GLOBAL)
		turns++;
#elif defined ADDED
		add(&turns, 1, RLX);
#endif
#ifdef LIMIT
		if (++tries == 100)
			many++;
#endif
	}
#endif
#ifdef EITHER
	return turns > 5 ? arg : NULL;
#else
	(void)turns;
	(void)tries;
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
	for (int i = 0; i < WAITERS; i++)
		start(wait, i);
	start(raise, WAITERS);
	join_all(NULL);
#ifdef SHOWN
	printf("%lu\n", (unsigned long)turns);
#endif
	return 0;
}
