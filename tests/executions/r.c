/* SPDX-License-Identifier: ISC */
/* R: x=1; y=1 with y=2; r=x. The fourth execution: y=2 comes last, and still r=0.
 *
 * counts sc 3
 * counts tso,pso,ra,rc11 4
 * counts -DSTORE=REL -DLOAD=ACQ sc 3
 * counts -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 4
 * counts -DSTORE=SC -DLOAD=SC sc,tso,pso,rc11 3
 * counts -DSTORE=SC -DLOAD=SC ra 4
 * counts -DFENCE=SC sc,tso,pso,rc11 3
 * counts -DFENCE=SC ra 4
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

atomic_int x, y;

THREAD(a)
{
	store(&x, 1, STORE);
	fence(FENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(b)
{
	store(&y, 2, STORE);
	fence(FENCE);
	RETURN(load(&x, LOAD), 0, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
