/* SPDX-License-Identifier: ISC */
/* Is a write that was only *read* before a release passed on by it? x=1; with r=x, y=1 released;
 * with r=y acquired, r=x. Relaxed reads of x do not synchronise; still the one happens before the
 * other, and coherence does not let the second see less: the executions of WRC with this
 * synchronisation.
 *
 * -DRELACQ: an acq_rel fence between r=x and y=1 in place of the release. -DCHAIN: one more hop, z.
 * -DSYNC: the first hop synchronises too.
 *
 * counts sc,tso,pso,rc11 7
 * counts -DRELACQ sc,tso,pso,rc11 7
 * counts -DCHAIN sc,tso,pso,rc11 15
 * counts -DSYNC sc,tso,pso,ra,rc11 7
 * counts -DSYNC -DCHAIN sc,tso,pso,ra,rc11 15
 */
#include "counts.h"

#ifdef SYNC
#define WX REL
#define RX ACQ
#else
#define WX RLX
#define RX RLX
#endif

atomic_int x, y, z;

THREAD(a)
{
	store(&x, 1, WX);
	return NULL;
}

THREAD(b)
{
	int r = load(&x, RX);

#ifdef RELACQ
	fence(ACQ_REL);
	store(&y, 1, RLX);
#else
	store(&y, 1, REL);
#endif
	RETURN(r, 0, 0, 0);
}

#ifdef CHAIN
THREAD(c)
{
	int r = load(&y, ACQ);

	store(&z, 1, REL);
	RETURN(r, 0, 0, 0);
}
#endif

THREAD(d)
{
	int r0, r1;

#ifdef CHAIN
	r0 = load(&z, ACQ);
#else
	r0 = load(&y, ACQ);
#endif
	r1 = load(&x, RX);
	RETURN(r0, r1, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
#ifdef CHAIN
	start(c, 0);
#endif
	start(d, 0);
	join_all(NULL);
	return 0;
}
