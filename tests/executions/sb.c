/* SPDX-License-Identifier: ISC */
/* SB - store buffering: x=1; r=y with y=1; r=x. Both reading 0 is the fourth execution.
 *
 * A seq_cst fence, or all four accesses seq_cst, forbid it in RC11; three of four do not. On TSO
 * and PSO a seq_cst store is followed by a full fence, so there the stores alone decide.
 * Release/acquire knows neither fences nor seq_cst.
 *
 * counts sc 3
 * counts tso,pso,rc11 4
 * counts -DSTORE=REL -DLOAD=ACQ sc 3
 * counts -DSTORE=REL -DLOAD=ACQ tso,pso,ra,rc11 4
 * counts -DSTORE=SC -DLOAD=SC sc,tso,pso,rc11 3
 * counts -DSTORE=SC -DLOAD=SC ra 4
 * counts -DSTORE=SC -DLOAD=SC -DLOAD2=ACQ sc,tso,pso 3
 * counts -DSTORE=SC -DLOAD=SC -DLOAD2=ACQ ra,rc11 4
 * counts -DSTORE=SC -DLOAD=SC -DSTORE2=REL sc 3
 * counts -DSTORE=SC -DLOAD=SC -DSTORE2=REL tso,pso,ra,rc11 4
 * counts -DFENCE=SC sc,tso,pso,rc11 3
 * counts -DSTORE=REL -DLOAD=ACQ -DFENCE=SC ra 4
 * counts -DFENCE=ACQ_REL sc 3
 * counts -DFENCE=ACQ_REL tso,pso,rc11 4
 * counts -DSTORE=SC -DLOAD=SC -DSTORE2=RLX -DLOAD2=RLX -DFENCE2=SC sc,tso,pso,rc11 3
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef STORE2
#define STORE2 STORE
#endif
#ifndef LOAD2
#define LOAD2 LOAD
#endif
#ifndef FENCE
#define FENCE RLX /* no fence */
#endif
#ifndef FENCE2
#define FENCE2 FENCE
#endif

atomic_int x, y;

THREAD(a)
{
	int r;

	store(&x, 1, STORE);
	fence(FENCE);
	r = load(&y, LOAD);
	RETURN(r, 0, 0, 0);
}

THREAD(b)
{
	int r;

	store(&y, 1, STORE2);
	fence(FENCE2);
	r = load(&x, LOAD2);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
