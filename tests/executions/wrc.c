/* SPDX-License-Identifier: ISC */
/* WRC - write-to-read causality: x=1; r=x, y=1; r=y, r=x. The eighth execution sees y=1, written
 * after x=1 was read, and yet x=0.
 *
 * counts sc,tso,pso 7
 * counts rc11 8
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 7
 * counts -DSTORE=REL sc,tso,pso 7
 * counts -DSTORE=REL rc11 8
 * counts -DFENCE=SC sc,tso,pso,ra,rc11 7
 * counts -DSTORE=REL -DLOAD=ACQ -DFIRST=RLX sc,tso,pso,ra,rc11 7
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef FIRST
#define FIRST STORE
#endif
#ifndef FENCE
#define FENCE RLX /* no fence */
#endif

atomic_int x, y;

THREAD(a)
{
	store(&x, 1, FIRST);
	return NULL;
}

THREAD(b)
{
	int r = load(&x, LOAD);

	fence(FENCE);
	store(&y, 1, STORE);
	RETURN(r, 0, 0, 0);
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&y, LOAD);
	fence(FENCE);
	r1 = load(&x, LOAD);
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
