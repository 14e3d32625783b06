/* SPDX-License-Identifier: ISC */
/* SB with each thread reading its own store before the other's: it gets it from its buffer, or, in
 * models without buffers, from itself; that implies no order.
 *
 * counts sc 3
 * counts tso,pso,ra,rc11 4
 * counts -DORDER=SC sc,tso,pso,rc11 3
 * counts -DORDER=SC ra 4
 * counts -DN=3 sc 7
 * counts -DN=3 tso,pso,ra,rc11 8
 * counts -DRMW sc,tso,pso 3
 * counts -DRMW ra,rc11 4
 */
#include "counts.h"

#ifndef N
#define N 2
#endif
#ifndef ORDER
#define ORDER RLX
#endif

atomic_int x[N];

THREAD(thread)
{
	int r0, r1;

#ifdef RMW
	swap(&x[INDEX], 1, ACQ_REL);
#else
	store(&x[INDEX], 1, ORDER);
#endif
	r0 = load(&x[INDEX], ORDER);
	r1 = load(&x[(INDEX + 1) % N], ORDER);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
