/* SPDX-License-Identifier: ISC */
/* MP through a release sequence: x=1; y=1 released; a second thread increments y, relaxed; a third
 * reads y, acquire, and then x.
 *
 * The read of the increment still sees x = 1, if the increment read the release store. A plain
 * store (-DBREAK) in place of the increment breaks the sequence.
 *
 * counts sc,tso,pso,ra,rc11 9
 * counts -DTWO sc,tso,pso,ra,rc11 36
 * counts -DRFENCE=ACQ -DLOAD=RLX sc,tso,pso,ra,rc11 9
 * counts -DBREAK sc,tso,pso 9
 * counts -DBREAK ra,rc11 10
 */
#include "counts.h"

#ifndef LOAD
#define LOAD ACQ
#endif
#ifndef RFENCE
#define RFENCE RLX
#endif

atomic_int x, y;

THREAD(writer)
{
	store(&x, 1, RLX);
	store(&y, 1, REL);
	return NULL;
}

THREAD(between)
{
#ifdef BREAK
	store(&y, 2, RLX);
	return NULL;
#else
	RETURN(add(&y, 2, RLX), 0, 0, 0);
#endif
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
	start(between, 0);
#ifdef TWO
	start(between, 1);
#endif
	start(reader, 0);
	join_all(NULL);
	return 0;
}
