/* SPDX-License-Identifier: ISC */
/* 2+2W: x=1; y=2 with y=1; x=2. The fourth execution has both first stores last in coherence order.
 *
 * All four stores seq_cst, or seq_cst fences, forbid it in RC11; PSO wants a store-store fence or a
 * release store for the second store of each thread, TSO nothing.
 *
 * counts sc,tso,sra 3
 * counts pso,ra,rc11 4
 * counts -DFIRST=REL -DSECOND=REL sc,tso,pso 3
 * counts -DFIRST=REL -DSECOND=REL ra,rc11 4
 * counts -DFIRST=SC -DSECOND=SC sc,tso,pso,sra,rc11 3
 * counts -DFIRST=SC -DSECOND=SC ra 4
 * counts -DFENCE=SC sc,tso,pso,rc11 3
 * counts -DFENCE=SC ra 4
 * counts -DFENCE=REL sc,tso,pso 3
 * counts -DFENCE=REL ra,rc11 4
 * counts -DFIRST=SC -DSECOND=SC -DSECOND2=REL sc,tso,pso 3
 * counts -DFIRST=SC -DSECOND=SC -DSECOND2=REL ra,rc11 4
 * counts -DFIRST=SC -DSECOND=SC -DFIRST2=REL sc,tso,pso 3
 * counts -DFIRST=SC -DSECOND=SC -DFIRST2=REL ra,rc11 4
 * counts -DFIRST=SC -DSECOND=SC -DFIRST2=RLX -DSECOND2=RLX -DFENCE2=SC sc,tso,pso,rc11 3
 * counts -DFIRST=SC -DSECOND=SC -DFIRST2=RLX -DSECOND2=RLX -DFENCE2=SC ra 4
 * counts-rf sc,tso,pso,ra,rc11 1
 */
#include "counts.h"

#ifndef FIRST
#define FIRST RLX
#endif
#ifndef SECOND
#define SECOND RLX
#endif
#ifndef FENCE
#define FENCE RLX /* no fence */
#endif
#ifndef FIRST2
#define FIRST2 FIRST
#endif
#ifndef SECOND2
#define SECOND2 SECOND
#endif
#ifndef FENCE2
#define FENCE2 FENCE
#endif

atomic_int x, y;

THREAD(a)
{
	store(&x, 1, FIRST);
	fence(FENCE);
	store(&y, 2, SECOND);
	return NULL;
}

THREAD(b)
{
	store(&y, 1, FIRST2);
	fence(FENCE2);
	store(&x, 2, SECOND2);
	return NULL;
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
