/* SPDX-License-Identifier: ISC */
/* MPU with an unconditional update: x=1; y=1 with y += 1 with r=y; r=x. The sum counts all; what
 * the release of y=1 forbids is x=0 after y=2, if that came from 1.
 *
 * counts sc,tso,pso,ra,rc11 9
 * counts -DSTORE=RLX sc,tso 9
 * counts -DSTORE=RLX pso,rc11 12
 * counts -DTWO sc,tso,pso,ra,rc11 36
 * counts -DTWO -DSTORE=RLX sc,tso 36
 * counts -DTWO -DSTORE=RLX pso,rc11 48
 * counts -DCOND sc,tso,pso,ra,rc11 6
 * counts -DCOND -DSTORE=RLX sc,tso 6
 * counts -DCOND -DSTORE=RLX pso,rc11 7
 */
#include "counts.h"

#ifndef STORE
#define STORE REL
#endif
#ifdef COND
#define LOOK(r) ((r) == 2)
#else
#define LOOK(r) true
#endif

atomic_int x, y;

THREAD(writer)
{
	store(&x, 1, RLX);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(update)
{
	RETURN(add(&y, 1, RLX), 0, 0, 0);
}

THREAD(reader)
{
	int r0, r1 = -1;

	r0 = load(&y, ACQ);
	if (LOOK(r0))
		r1 = load(&x, RLX);
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
