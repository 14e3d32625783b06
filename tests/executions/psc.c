/* SPDX-License-Identifier: ISC */
/* The meaning of seq_cst among accesses that are not all seq_cst.
 *
 * -DSB_HB: SB whose stores are made by other threads, seq_cst, and read before, acquire.
 * -DIRIW_FENCE: IRIW with one fence in one reader only. -DWWRR: x=1 sc; y=1 sc with y read sc
 * before x relaxed. -DFENCE_CHAIN: SB in three threads, the middle one with a fence only.
 *
 * counts -DSB_HB sc,tso,pso 15
 * counts -DSB_HB ra,rc11 16
 * counts -DIRIW_FENCE sc,tso,pso 15
 * counts -DIRIW_FENCE ra,rc11 16
 * counts -DWWRR sc,tso,pso,ra,rc11 16
 * counts -DFENCE_CHAIN sc,tso,pso,rc11 7
 * counts -DFENCE_CHAIN ra 8
 */
#include "counts.h"

atomic_int x, y, z;

#if defined(SB_HB)

THREAD(a)
{
	store(&x, 1, SC);
	return NULL;
}

THREAD(b)
{
	store(&y, 1, SC);
	return NULL;
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&x, ACQ);
	r1 = load(&y, SC);
	RETURN(r0, r1, 0, 0);
}

THREAD(d)
{
	int r0, r1;

	r0 = load(&y, ACQ);
	r1 = load(&x, SC);
	RETURN(r0, r1, 0, 0);
}

#elif defined(IRIW_FENCE)

THREAD(a)
{
	store(&x, 1, RLX);
	return NULL;
}

THREAD(b)
{
	store(&y, 1, RLX);
	return NULL;
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&x, ACQ);
	fence(SC);
	r1 = load(&y, ACQ);
	RETURN(r0, r1, 0, 0);
}

THREAD(d)
{
	int r0, r1;

	r0 = load(&y, ACQ);
	r1 = load(&x, ACQ);
	RETURN(r0, r1, 0, 0);
}

#elif defined(WWRR)

THREAD(a)
{
	store(&x, 1, SC);
	return NULL;
}

THREAD(b)
{
	store(&y, 1, SC);
	RETURN(load(&x, RLX), 0, 0, 0);
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&y, SC);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

THREAD(d)
{
	RETURN(load(&x, SC), 0, 0, 0);
}

#else

THREAD(a)
{
	store(&x, 1, RLX);
	fence(SC);
	RETURN(load(&y, RLX), 0, 0, 0);
}

THREAD(b)
{
	store(&y, 1, RLX);
	fence(REL);
	store(&z, 1, RLX);
	return NULL;
}

THREAD(c)
{
	int r0, r1;

	r0 = load(&z, ACQ);
	fence(SC);
	r1 = load(&x, RLX);
	RETURN(r0, r1, 0, 0);
}

THREAD(d)
{
	return NULL;
}

#endif

int main(void)
{
	start(a, 0);
	start(b, 0);
	start(c, 0);
	start(d, 0);
	join_all(NULL);
	return 0;
}
