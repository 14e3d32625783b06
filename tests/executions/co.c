/* SPDX-License-Identifier: ISC */
/* Coherence of one location, in its classic shapes. Which stores a thread may read, and where a
 * store may stand in coherence order, is the same in all models, so all count the same:
 *
 * CORR  x=1; x=2 with r=x; r=x: two reads of three values that never go back, C(4,2) = 6.
 * CORR1 two writers, one thread reads twice, one once: 2! * 6 * 3 = 36.
 * CORR2 two writers, two threads read twice: 2! * 6 * 6 = 72.
 * CORW  r=x; x=1 with x=2: three. COWR  x=1; r=x with x=2: three.
 * COWW  x=1; x=2 with x=3: three places for x=3.
 * RRR   two writers, one thread reads three times: 2! * C(5,3) = 20.
 * RRRR  three writers, four reads: 3! * C(7,4) = 210.
 *
 * counts -DCORR sc,tso,pso,ra,rc11 6
 * counts -DCORR1 sc,tso,pso,ra,rc11 36
 * counts -DCORR2 sc,tso,pso,ra,rc11 72
 * counts -DCORW sc,tso,pso,ra,rc11 3
 * counts -DCOWR sc,tso,pso,ra,rc11 3
 * counts -DCOWW sc,tso,pso,ra,rc11 3
 * counts -DRRR sc,tso,pso,ra,rc11 20
 * counts -DRRRR sc,tso,pso,ra,rc11 210
 * counts -DCORR2 -DSTORE=SC -DLOAD=SC sc,tso,pso,ra,rc11 72
 * counts -DRRRR -DSTORE=REL -DLOAD=ACQ sc,tso,pso,ra,rc11 210
 */
#include "counts.h"

#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif

atomic_int x;

THREAD(w)
{
	store(&x, INDEX + 1, STORE);
	return NULL;
}

THREAD(ww)
{
	store(&x, 1, STORE);
	store(&x, 2, STORE);
	return NULL;
}

THREAD(wr)
{
	store(&x, 3, STORE);
	RETURN(load(&x, LOAD), 0, 0, 0);
}

THREAD(r)
{
	RETURN(load(&x, LOAD), 0, 0, 0);
}

THREAD(rw)
{
	int r0 = load(&x, LOAD);

	store(&x, 3, STORE);
	RETURN(r0, 0, 0, 0);
}

THREAD(rr)
{
	int r0 = load(&x, LOAD);
	int r1 = load(&x, LOAD);

	RETURN(r0, r1, 0, 0);
}

THREAD(rrr)
{
	int r0 = load(&x, LOAD);
	int r1 = load(&x, LOAD);
	int r2 = load(&x, LOAD);

	RETURN(r0, r1, r2, 0);
}

THREAD(rrrr)
{
	int r0 = load(&x, LOAD);
	int r1 = load(&x, LOAD);
	int r2 = load(&x, LOAD);
	int r3 = load(&x, LOAD);

	RETURN(r0, r1, r2, r3);
}

static const struct shape {
	int n; /* of the first kind of thread */
	counts_thread *first, *second, *third;
} shape =
#if defined(CORR)
	{1, ww, rr, NULL};
#elif defined(CORR1)
	{2, w, rr, r};
#elif defined(CORR2)
	{2, w, rr, rr};
#elif defined(CORW)
	{1, w, rw, NULL};
#elif defined(COWR)
	{1, w, wr, NULL};
#elif defined(COWW)
	{1, ww, w, NULL};
#elif defined(RRR)
	{2, w, rrr, NULL};
#else
	{3, w, rrrr, NULL};
#endif

/* The shapes that this one does not use. */
static counts_thread *const all[] = {w, ww, wr, r, rw, rr, rrr, rrrr};

int main(void)
{
	(void)all;
	start_many(shape.first, shape.n);
	start(shape.second, 0);
	if (shape.third)
		start(shape.third, 0);
	join_all(NULL);
	return 0;
}
