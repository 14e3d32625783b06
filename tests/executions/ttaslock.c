/* SPDX-License-Identifier: ISC */
/* Test-and-test-and-set lock: a thread waits until it sees the lock free, then tries to take it by
 * a compare-and-exchange (-DSPIN: without the test), and starts again if another one was faster.
 *
 * Executions differ in the order of entry, and in the earlier release that each has read: (N!)^2
 * (-DSPIN: N!).
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,pso,ra,rc11 36
 * counts -DN=4 sc,rc11 576
 * counts-bench -DN=4 sc,tso,pso,ra,rc11 576
 * counts-bench -DN=5 rc11 14400
 * counts -DSPIN -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DSPIN -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DSPIN -DN=4 sc,rc11 24
 */
#include "counts.h"

atomic_int locked;
int inside;

THREAD(thread)
{
#ifdef SPIN
	while (!cas(&locked, 0, 1, ACQ))
		;
#else
	do {
		while (load(&locked, ACQ))
			;
	} while (!cas(&locked, 0, 1, ACQ));
#endif
	inside++;
	store(&locked, 0, REL);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
