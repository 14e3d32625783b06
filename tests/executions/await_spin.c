/* SPDX-License-Identifier: ISC */
/* A thread waits for a flag: it looks a number of times, yields, and begins again. What it counts makes
 * no executions, but optimised code tests a limit after the look: then the last look before it is one of
 * its own.
 *
 * By default a loop in an endless loop. -DGOTO: one loop, the counter is set back. -DDO: it falls.
 * -DNESTED: two counters, with a last look each, and of both. -DCAS: a compare and exchange that fails.
 * -DSOME: the number of looks is not known. -DRAISE: after the first round it raises a flag, which the
 * other thread looks for: two looks before it, and two after it that differ in what the other one has
 * seen. -DBACK_OFF: pauses that double up to a limit are states, 6.
 *
 * counts -O0 -DLIMIT=1000 sc,tso,pso,ra,rc11 1
 * counts -O1 -DLIMIT=1000000000 sc,tso,pso,ra,rc11 2
 * counts -O2 -DLIMIT=1000 sc,tso,pso,ra,rc11 2
 * counts -O3 -DLIMIT=1000 -DCAS sc,rc11 2
 * counts -O0 -DLIMIT=1000 -DCAS sc,rc11 1
 * counts -O0 -DLIMIT=1000 -DGOTO sc,rc11 2
 * counts -O1 -DLIMIT=1000 -DGOTO sc,rc11 2
 * counts -O0 -DLIMIT=1000 -DDO sc,rc11 2
 * counts -O2 -DLIMIT=1000 -DDO sc,rc11 2
 * counts -O0 -DLIMIT=1000 -DNESTED sc,rc11 1
 * counts -O1 -DLIMIT=1000 -DNESTED sc,rc11 4
 * counts -O1 -DLIMIT=1000 -DSOME sc,rc11 2
 * counts -O1 -DLIMIT=1000 -DRAISE sc,tso,pso,ra,rc11 6
 * counts -O1 -DLIMIT=1000 -DBACK_OFF sc,rc11 6
 */
#include "counts.h"
#include <sched.h>

#ifdef SOME
volatile int some = LIMIT;
#undef LIMIT
#define LIMIT limit
#endif

atomic_int flag, raised;

static bool look(void)
{
#ifdef CAS
	return cas(&flag, 1, 2, ACQ);
#else
	return load(&flag, ACQ);
#endif
}

THREAD(wait)
{
#ifdef SOME
	int limit = some;
#endif
#ifdef RAISE
	bool tired = false;
#endif

#if defined(GOTO)
	int n = 0;
again:
	if (look())
		return NULL;
	if (++n == LIMIT) {
		n = 0;
		sched_yield();
	}
	goto again;
#elif defined(BACK_OFF)
	for (unsigned n = 1; !look(); n = n < 32 ? 2 * n : n)
		for (unsigned i = 0; i < n; i++)
			sched_yield();
	return NULL;
#else
	for (;;) {
#ifdef DO
		int n = LIMIT;

		do {
			if (look())
				return NULL;
		} while (--n);
#else
#ifdef NESTED
		for (int k = 0; k < 10; k++)
#endif
			for (int n = 0; n < LIMIT; n++)
				if (look())
					return NULL;
#endif
#ifdef RAISE
		if (!tired)
			store(&raised, 1, RLX);
		tired = true;
#endif
		sched_yield();
	}
#endif
}

THREAD(raise)
{
	int r = 0;

#ifdef RAISE
	r = load(&raised, RLX);
#endif
	store(&flag, 1, REL);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start(wait, 0);
	start(raise, 1);
	join_all(NULL);
	return 0;
}
