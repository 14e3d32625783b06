/* SPDX-License-Identifier: ISC */
/* S where the second thread writes only after it saw the flag: two executions if the flag
 * synchronises, else one more, with the two stores to x the other way round.
 *
 * counts -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 2
 * counts -DWFENCE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 2
 * counts -DSTORE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 2
 * counts -DWFENCE=REL -DRFENCE=ACQ sc,tso,pso,ra,rc11 2
 * counts sc,tso 2
 * counts pso,rc11 3
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

THREAD(a)
{
	store(&x, 2, RLX);
	fence(WFENCE);
	store(&y, 1, STORE);
	return NULL;
}

THREAD(b)
{
	if (load(&y, LOAD)) {
		fence(RFENCE);
		store(&x, 1, RLX);
	}
	return NULL;
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
