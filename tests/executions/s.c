/* SPDX-License-Identifier: ISC */
/* S: x=2; y=1 with r=y; x=1. The fourth execution: r=1, and yet x=2 is coherence-after x=1.
 *
 * counts sc,tso 3
 * counts pso,rc11 4
 * counts -DSTORE=REL sc,tso,pso 3
 * counts -DSTORE=REL rc11 4
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 3
 * counts -DWFENCE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 3
 * counts -DWFENCE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 3
 * counts -DSTORE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 3
 * counts -DFIRST=REL -DLOAD=ACQ sc,tso 3
 * counts -DFIRST=REL -DLOAD=ACQ pso,rc11 4
 * counts -DFIRST=REL -DRFENCE=ACQ sc,tso 3
 * counts -DFIRST=REL -DRFENCE=ACQ pso,rc11 4
 */
#include "counts.h"

#ifndef FIRST
#define FIRST RLX
#endif
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

THREAD(a)
{
	store(&x, 2, FIRST);
	fence(WFENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(b)
{
	int r = load(&y, LOAD);

	fence(RFENCE);
	store(&x, 1, RLX);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
