/* SPDX-License-Identifier: ISC */
/* Dekker's mutual exclusion with relaxed accesses and seq_cst fences, L rounds each.
 *
 * counts -DL=1 sc,tso,pso,rc11 4
 * counts -DL=2 sc,tso,pso 71
 * counts -O0 -DL=2 sc 71
 * counts -O2 -DL=2 sc 71
 * counts -O3 -DL=2 sc 71
 * counts -DL=2 rc11 99
 * counts -DL=3 sc,tso,pso 1344
 * counts-bench -DL=3 sc,tso 1344
 * counts-bench -DL=4 sc 26797
 */
#include "counts.h"

atomic_int flag[2], turn;
int inside;

THREAD(thread)
{
	int me = INDEX;

	for (int i = 0; i < L; i++) {
		store(&flag[me], 1, RLX);
		fence(SC);
		while (load(&flag[1 - me], RLX)) {
			if (load(&turn, RLX) != me) {
				store(&flag[me], 0, RLX);
				while (load(&turn, RLX) != me)
					;
				store(&flag[me], 1, RLX);
				fence(SC);
			}
		}
		fence(ACQ);
		inside++;
		store(&turn, 1 - me, RLX);
		fence(REL);
		store(&flag[me], 0, RLX);
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
