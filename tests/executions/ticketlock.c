/* SPDX-License-Identifier: ISC */
/* Ticket lock: N threads enter once, in the order of their tickets: N!. L rounds: (N*L)! / (L!)^N,
 * for the tickets of one thread follow each other.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 sc,rc11 120
 * counts -DN=2 -DL=2 sc,tso,pso,ra,rc11 6
 * counts -DN=3 -DL=2 rc11 90
 * counts-bench -DN=6 rc11 720
 * counts-bench -DN=7 rc11 5040
 */
#include "counts.h"

#ifndef L
#define L 1
#endif

atomic_int next, owner;
int inside;

THREAD(thread)
{
	for (int i = 0; i < L; i++) {
		int ticket = add(&next, 1, RLX);

		while (load(&owner, ACQ) != ticket)
			;
		inside++;
		store(&owner, ticket + 1, REL);
	}
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(inside == N * L);
	return 0;
}
