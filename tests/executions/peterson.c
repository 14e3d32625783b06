/* SPDX-License-Identifier: ISC */
/* Peterson's mutual exclusion, L rounds each, seq_cst; a thread waits for a value, and only
 * executions where it has seen it count. The flag is raised and lowered, the critical section
 * writes and reads a shared relaxed variable -DCS, or does nothing.
 *
 * counts -DL=1 sc,tso,pso,rc11 4
 * counts -DL=2 sc,tso,pso,rc11 48
 * counts -DL=3 sc,tso,pso,rc11 588
 * counts-rf -DL=2 sc,tso,pso,rc11 48
 */
#include "counts.h"

atomic_int flag[2], turn;
int inside;

THREAD(thread)
{
	int me = INDEX;

	for (int i = 0; i < L; i++) {
		store(&flag[me], 1, SC);
		store(&turn, 1 - me, SC);
		while (load(&flag[1 - me], SC) && load(&turn, SC) == 1 - me)
			;
		inside++;
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
