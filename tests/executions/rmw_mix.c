/* SPDX-License-Identifier: ISC */
/* RMWs among loads and stores of one location.
 *
 * -DINC2W  increments and 2 stores: the orders of N + 2 writes.
 * -DRINC   r=x, then x += 1, twice.
 * -DREADS  N increments with a thread that reads twice: N! * C(N + 2, 2).
 * -DRINCWR r=x; x += 1 with x = 5; r=x.
 *
 * counts -DINC2W -DN=1 sc,tso,pso,ra,rc11 6
 * counts -DINC2W -DN=2 sc,tso,pso,ra,rc11 24
 * counts -DRINC -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DRINC -DN=3 sc,tso,pso,ra,rc11 36
 * counts -DREADS -DN=2 sc,tso,pso,ra,rc11 12
 * counts -DREADS -DN=3 sc,tso,pso,ra,rc11 60
 * counts -DREADS -DN=4 sc,tso,pso,ra,rc11 360
 * counts -DRINCWR -DN=1 sc,tso,pso,ra,rc11 5
 * counts -DRINCWR -DN=2 sc,tso,pso,ra,rc11 52
 */
#include "counts.h"

atomic_int x;

THREAD(increment)
{
	int r0 = 0, r1;

#if defined(RINC) || defined(RINCWR)
	r0 = load(&x, RLX);
#endif
	r1 = add(&x, 1, RLX);
	RETURN(r0, r1, 0, 0);
}

THREAD(other)
{
	int r0 = 0, r1 = 0;

#if defined(INC2W)
	store(&x, 10 + INDEX, RLX);
#elif defined(READS)
	r0 = load(&x, RLX);
	r1 = load(&x, RLX);
#elif defined(RINCWR)
	store(&x, 10, RLX);
	r0 = load(&x, RLX);
#endif
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start_many(increment, N);
	start(other, 0);
#ifdef INC2W
	start(other, 1);
#endif
	join_all(NULL);
	return 0;
}
