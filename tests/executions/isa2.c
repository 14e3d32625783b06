/* SPDX-License-Identifier: ISC */
/* ISA2: x=1; y=1 with r=y; z=1 with r=z; r=x: message passing in two hops.
 *
 * counts sc,tso 7
 * counts pso,rc11 8
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 7
 * counts -DSTORE=REL sc,tso,pso 7
 * counts -DSTORE=REL rc11 8
 * counts -DFENCE=SC sc,tso,pso,ra,rc11 7
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef FENCE
#define FENCE RLX /* no fence */
#endif

atomic_int x, y, z;

THREAD(a)
{
	store(&x, 1, RLX);
	fence(FENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(b)
{
	int r = load(&y, LOAD);

	fence(FENCE);
	store(&z, 1, STORE);
	RETURN(r, 0, 0, 0);
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&z, LOAD);
	fence(FENCE);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	start(c, 0);
	join_all(NULL);
	return 0;
}
