/* SPDX-License-Identifier: ISC */
/* LB - load buffering: r=y; x=1 with r=x; y=1. Both reading 1 would be a cycle of po and rf, which
 * none of these models has; three executions are left. N threads in a ring: all but one of 2^N.
 *
 * counts sc,tso,pso,ra,rc11 3
 * counts -DN=3 sc,tso,pso,ra,rc11 7
 * counts -DN=4 sc,tso,pso,ra,rc11 15
 * counts -DN=3 -DLOAD=ACQ sc,tso,pso,ra,rc11 7
 * counts -DN=3 -DSTORE=REL sc,tso,pso,ra,rc11 7
 * counts -DN=5 -DLOAD=ACQ -DSTORE=REL sc,tso,pso,ra,rc11 31
 */
#include "counts.h"

#ifndef N
#define N 2
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef STORE
#define STORE RLX
#endif

atomic_int x[N];

THREAD(thread)
{
	int r = load(&x[(INDEX + 1) % N], LOAD);

	store(&x[INDEX], 1, STORE);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
