/* SPDX-License-Identifier: ISC */
/* Szymanski's mutual exclusion for two threads, L rounds each.
 *
 * -DSYMMETRIC: as it is often copied, both threads do what only one of them should: each waits for
 * the other to leave before it enters. Both may then wait for ever, which is a livelock; only
 * executions that end are counted.
 *
 * counts -DL=1 sc,tso,pso,rc11 29
 * counts -DL=2 sc,rc11 1522
 * counts -DSYMMETRIC -DL=1 sc,tso,pso,rc11 6 livelock
 * counts -DSYMMETRIC -DL=2 sc,rc11 78 livelock
 * counts-bench -DSYMMETRIC -DL=3 sc,rc11 1068 livelock
 * counts-bench -DSYMMETRIC -DL=4 sc,rc11 15126 livelock
 */
#include "counts.h"

#ifdef SYMMETRIC
#define BOTH 1
#else
#define BOTH 0
#endif

atomic_int flag[2];
int inside;

THREAD(thread)
{
	int me = INDEX, other = 1 - me;

	for (int i = 0; i < L; i++) {
		store(&flag[me], 1, SC);
		while (load(&flag[other], SC) >= 3)
			;
		store(&flag[me], 3, SC);
		if (load(&flag[other], SC) == 1) {
			store(&flag[me], 2, SC);
			while (load(&flag[other], SC) != 4)
				;
		}
		store(&flag[me], 4, SC);
		if (BOTH || me == 1)
			while (load(&flag[other], SC) >= 2)
				;
		inside++;
		if (BOTH || me == 0)
			while ((load(&flag[other], SC) & ~1) == 2)
				;
		store(&flag[me], 0, SC);
	}
	return NULL;
}

int main(void)
{
	start_many(thread, 2);
	join_all(NULL);
	assert(inside == 2 * L);
	return 0;
}
