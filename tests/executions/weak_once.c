/* SPDX-License-Identifier: ISC */
/* N threads each try one weak compare-and-exchange of 0 by 1, which may fail spuriously. All fail:
 * one execution. One of N succeeds: each other has seen its 1, or the 0, and failed spuriously. N *
 * 2^(N-1) + 1.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 2
 * counts -DN=2 sc,tso,pso,ra,rc11 5
 * counts -DN=3 sc,tso,pso,ra,rc11 13
 * counts -DN=4 sc,tso,pso,ra,rc11 33
 */
#include "counts.h"

atomic_int x;

THREAD(claim)
{
	int seen = 0;
	bool mine = atomic_compare_exchange_weak_explicit(&x, &seen, 1, ACQ_REL, RLX);

	RETURN(mine, seen, 0, 0);
}

int main(void)
{
	start_many(claim, N);
	join_all(NULL);
	return 0;
}
