/* SPDX-License-Identifier: ISC */
/* MP - message passing: x=1; y=1 with r=y; r=x. Fresh flag and stale data is the fourth execution.
 *
 * A release store read by an acquire load forbids it, and so do fences on either side in place of
 * either. On PSO the store side is enough, for loads keep their order; on TSO nothing is needed.
 *
 * counts sc,tso 3
 * counts pso,rc11 4
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 3
 * counts -DSTORE=SC -DLOAD=SC sc,tso,pso,ra,rc11 3
 * counts -DSTORE=REL sc,tso,pso 3
 * counts -DSTORE=REL rc11 4
 * counts -DLOAD=ACQ sc,tso 3
 * counts -DLOAD=ACQ pso,rc11 4
 * counts -DWFENCE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 3
 * counts -DSTORE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 3
 * counts -DWFENCE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 3
 * counts -DWFENCE=SC -DRFENCE=SC sc,tso,pso,ra,rc11 3
 * counts -DWFENCE=ACQ -DRFENCE=REL sc,tso 3
 * counts -DWFENCE=ACQ -DRFENCE=REL pso,rc11 4
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
#ifndef WFENCE
#define WFENCE RLX /* no fence */
#endif
#ifndef RFENCE
#define RFENCE RLX
#endif

atomic_int x, y;

THREAD(writer)
{
	store(&x, 1, RLX);
	fence(WFENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(reader)
{
	int r0, r1;

	r0 = load(&y, LOAD);
	fence(RFENCE);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
