/* SPDX-License-Identifier: ISC */
/* SB in a ring of N threads: each writes its variable and reads its neighbour's: 2^N, and one fewer
 * if not all may read the old value.
 *
 * counts -DN=2 sc 3
 * counts -DN=2 tso,pso,ra,rc11 4
 * counts -DN=4 sc 15
 * counts -DN=4 tso,pso,ra,rc11 16
 * counts -DN=8 sc 255
 * counts -DN=8 tso,pso,ra,rc11 256
 * counts -DN=4 -DORDER=SC sc,tso,pso,rc11 15
 * counts -DN=6 -DFENCED sc,tso,pso,rc11 63
 * counts -DN=10 sc 1023
 * counts -DN=10 rc11 1024
 * counts-bench -DN=14 sc 16383
 * counts-bench -DN=14 tso,rc11 16384
 */
#include "counts.h"

#ifndef ORDER
#define ORDER RLX
#endif

atomic_int x[N];

THREAD(thread)
{
	store(&x[INDEX], 1, ORDER);
#ifdef FENCED
	fence(SC);
#endif
	RETURN(load(&x[(INDEX + 1) % N], ORDER), 0, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
