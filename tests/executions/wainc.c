/* SPDX-License-Identifier: ISC */
/* N atomic increments and one store: each order of the N + 1 writes is an execution, (N + 1)!.
 * -DREAD: one of the threads reads afterwards.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 6
 * counts -DN=3 sc,tso,pso,ra,rc11 24
 * counts -DN=4 sc,tso,pso,ra,rc11 120
 * counts -DN=5 sc,tso,pso,ra,rc11 720
 * counts -DN=2 -DREAD sc,tso,pso,ra,rc11 12
 * counts -DN=3 -DREAD sc,tso,pso,ra,rc11 60
 */
#include "counts.h"

atomic_int x;

THREAD(increment)
{
	add(&x, 1, RLX);
	return NULL;
}

THREAD(writer)
{
	store(&x, 42, RLX);
#ifdef READ
	RETURN(load(&x, RLX), 0, 0, 0);
#else
	return NULL;
#endif
}

int main(void)
{
	start_many(increment, N);
	start(writer, 0);
	join_all(NULL);
	return 0;
}
