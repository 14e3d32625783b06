/* SPDX-License-Identifier: ISC */
/* N increments of a counter beside an independent race of one load and one store: 2 * N!. An
 * explorer that remembers visited states needs memory for all N! after each half of the race.
 *
 * counts -DN=3 sc,tso,pso,ra,rc11 12
 * counts -DN=5 sc,tso,pso,ra,rc11 240
 * counts -DN=6 sc,rc11 1440
 * counts-bench -DN=7 rc11 10080
 * counts-bench -DN=8 rc11 80640
 */
#include "counts.h"

atomic_int x, y;

THREAD(increment)
{
	add(&x, 1, RLX);
	return NULL;
}

THREAD(reader)
{
	RETURN(load(&y, RLX), 0, 0, 0);
}

THREAD(writer)
{
	store(&y, 1, RLX);
	return NULL;
}

int main(void)
{
	start(reader, 0);
	start_many(increment, N);
	start(writer, 0);
	join_all(NULL);
	return 0;
}
