/* SPDX-License-Identifier: ISC */
/* MPU - message passing with an update: x=1; y=1 with y+=1 (from 1 only) with r=y; if 2, r=x.
 *
 * The reader sees x if it saw the update of the released flag: one execution fewer than with a
 * relaxed flag. -DTWO: two updates, 1 -> 2 and 2 -> 3, and the reader looks at x after it saw 3.
 *
 * counts sc,tso,pso,ra,rc11 5
 * counts -DWFENCE=REL -DSTORE=RLX sc,tso,pso,ra,rc11 5
 * counts -DRFENCE=ACQ -DLOAD=RLX sc,tso,pso,ra,rc11 5
 * counts -DWFENCE=REL -DSTORE=RLX -DRFENCE=ACQ -DLOAD=RLX sc,tso,pso,ra,rc11 5
 * counts -DSTORE=RLX sc,tso 5
 * counts -DSTORE=RLX pso,rc11 6
 * counts -DTWO sc,tso,pso,ra,rc11 14
 * counts -DTWO -DWFENCE=REL -DSTORE=RLX -DRFENCE=ACQ -DLOAD=RLX sc,tso,pso,ra,rc11 14
 * counts -DTWO -DSTORE=RLX sc,tso 14
 * counts -DTWO -DSTORE=RLX pso,rc11 15
 */
#include "counts.h"

#ifndef STORE
#define STORE REL
#endif
#ifndef LOAD
#define LOAD ACQ
#endif
#ifndef WFENCE
#define WFENCE RLX /* no fence */
#endif
#ifndef RFENCE
#define RFENCE RLX
#endif
#ifdef TWO
#define LAST 3
#else
#define LAST 2
#endif

atomic_int x, y;

THREAD(writer)
{
	store(&x, 1, RLX);
	fence(WFENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(update)
{
	RETURN(cas(&y, INDEX + 1, INDEX + 2, RLX), 0, 0, 0);
}

THREAD(reader)
{
	int r0, r1 = -1;

	r0 = load(&y, LOAD);
	if (r0 == LAST) {
		fence(RFENCE);
		r1 = load(&x, RLX);
	}
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start(update, 0);
#ifdef TWO
	start(update, 1);
#endif
	start(reader, 0);
	join_all(NULL);
	return 0;
}
