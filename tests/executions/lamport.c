/* SPDX-License-Identifier: ISC */
/* Lamport's fast mutual exclusion (1987), N threads enter once.
 *
 * counts -DN=2 sc,tso,pso,rc11 16
 * counts-long -DN=3 sc,tso,rc11 9216
 * counts-bench -DN=3 sc,tso,rc11 9216
 *
 * By reads-from as many as nidhugg --sc --rf has.
 *
 * counts-rf -DN=2 sc,tso,pso,rc11 12
 * counts-rf -DN=3 sc,rc11 3942
 */
#include "counts.h"

atomic_int x, y, b[N + 1];
int inside;

static bool try_enter(int me)
{
	store(&b[me], 1, SC);
	store(&x, me, SC);
	if (load(&y, SC) != 0) {
		store(&b[me], 0, SC);
		while (load(&y, SC) != 0)
			;
		return false;
	}
	store(&y, me, SC);
	if (load(&x, SC) != me) {
		store(&b[me], 0, SC);
		for (int j = 1; j <= N; j++)
			while (load(&b[j], SC) != 0)
				;
		if (load(&y, SC) != me) {
			while (load(&y, SC) != 0)
				;
			return false;
		}
	}
	return true;
}

THREAD(thread)
{
	int me = INDEX + 1;

	while (!try_enter(me))
		;
	inside++;
	store(&y, 0, SC);
	store(&b[me], 0, SC);
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N);
	return 0;
}
