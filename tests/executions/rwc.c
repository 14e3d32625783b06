/* SPDX-License-Identifier: ISC */
/* RWC - read-to-write causality: x=1; r=x, r=y; y=1, r=x. -DW: W+RWC, the first thread is x=1; z=1
 * and the second reads z in place of x.
 *
 * counts sc 7
 * counts tso,pso,ra,rc11 8
 * counts -DSTORE=REL -DLOAD=ACQ sc 7
 * counts -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 8
 * counts -DFENCE=SC sc,tso,pso,rc11 7
 * counts -DFENCE=SC ra 8
 * counts -DSTORE=SC -DLOAD=SC sc,tso,pso,rc11 7
 * counts -DSTORE=SC -DLOAD=SC ra 8
 * counts -DW sc 7
 * counts -DW tso,pso,ra,rc11 8
 * counts -DW -DSTORE=REL -DLOAD=ACQ sc 7
 * counts -DW -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 8
 * counts -DW -DFENCE=SC sc,tso 7
 * counts -DW -DFENCE=SC pso,ra,rc11 8
 * counts -DW -DSTORE=REL -DLOAD=ACQ -DFENCE=SC sc,tso,pso,rc11 7
 * counts -DW -DSTORE=REL -DLOAD=ACQ -DFENCE=SC ra 8
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
	store(&x, 1, STORE);
#ifdef W
	store(&z, 1, STORE);
#endif
	return NULL;
}

THREAD(b)
{
	int r0, r1;

#ifdef W
	r0 = load(&z, LOAD);
#else
	r0 = load(&x, LOAD);
#endif
	fence(FENCE);
	r1 = load(&y, LOAD);
	RETURN(r0, r1, 0, 0);
}

THREAD(c)
{
	store(&y, 1, STORE);
	fence(FENCE);
	RETURN(load(&x, LOAD), 0, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	start(c, 0);
	join_all(NULL);
	return 0;
}
