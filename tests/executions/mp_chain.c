/* SPDX-License-Identifier: ISC */
/* Message passing by numbers: a writer counts x up to N and then y, release; a reader reads y,
 * acquire, and then x: it sees the last x if it saw y.
 *
 * N + 2 executions: y = 0 and one of N + 1 values, or y = 1 and the last.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 3
 * counts -DN=5 sc,tso,pso,ra,rc11 7
 * counts -DN=10 sc,tso,pso,ra,rc11 12
 * counts -DN=100 rc11 102
 * counts -DN=3 -DSTORE=RLX sc,tso 5
 * counts -DN=3 -DSTORE=RLX pso,rc11 8
 */
#include "counts.h"

#ifndef STORE
#define STORE REL
#endif

atomic_int x, y;

THREAD(writer)
{
	for (int i = 1; i <= N; i++)
		store(&x, i, RLX);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(reader)
{
	int r0, r1;

	r0 = load(&y, ACQ);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
