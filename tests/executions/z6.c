/* SPDX-License-Identifier: ISC */
/* Z6: x=1; y=1 with y=2; z=1 with z=2; r=x. -DREAD: Z6.3 in other books: the second thread reads y.
 * -DU: Z6.U of the RC11 paper: x=1 sc; y=1 release with an sc increment of y, then r=y with y=3 sc;
 * r=x sc: seq_cst accesses with others between them allow more than one may expect. RC11 as
 * published (psc goes through hb of other locations only, and the two halves of the increment are
 * on the same) allows all that RA does; GenMC, whose form of psc ignores locations, finds
 * 22.
 *
 * counts sc 7
 * counts tso,pso,ra,rc11 8
 * counts -DSTORE=REL -DLOAD=ACQ sc 7
 * counts -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 8
 * counts -DFENCE=SC sc,tso,pso,rc11 7
 * counts -DFENCE=SC ra 8
 * counts -DREAD sc 7
 * counts -DREAD tso,pso,ra,rc11 8
 * counts -DREAD -DSTORE=REL -DLOAD=ACQ sc 7
 * counts -DREAD -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 8
 * counts -DREAD -DSTORE=SC -DLOAD=SC sc,tso,pso,rc11 7
 * counts -DREAD -DSTORE=SC -DLOAD=SC ra 8
 * counts -DREAD -DFENCE=SC sc,tso,pso,rc11 7
 * counts -DREAD -DFENCE=SC ra 8
 * counts -DU sc,tso,pso 18
 * counts -DU ra,rc11 24
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

#ifdef U

THREAD(a)
{
	store(&x, 1, SC);
	store(&y, 1, REL);
	return NULL;
}

THREAD(b)
{
	int r0, r1;

	r0 = add(&y, 1, SC);
	r1 = load(&y, RLX);
	RETURN(r0, r1, 0, 0);
}

THREAD(c)
{
	store(&y, 3, SC);
	RETURN(load(&x, SC), 0, 0, 0);
}

#else

THREAD(a)
{
	store(&x, 1, STORE);
	fence(FENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(b)
{
	int r = 0;

#ifdef READ
	r = load(&y, LOAD);
#else
	store(&y, 2, STORE);
#endif
	fence(FENCE);
	store(&z, 1, STORE);
	RETURN(r, 0, 0, 0);
}

THREAD(c)
{
	store(&z, 2, STORE);
	fence(FENCE);
	RETURN(load(&x, LOAD), 0, 0, 0);
}

#endif

int main(void)
{
	start(a, 0);
	start(b, 0);
	start(c, 0);
	join_all(NULL);
	return 0;
}
