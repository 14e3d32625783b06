/* SPDX-License-Identifier: ISC */
/* N threads increment a counter without atomicity: r=x; x=r+1. N! orders of the stores, and the
 * k-th of them may have read any of k values: (N!)^2.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=3 sc,tso,pso,ra,rc11 36
 * counts -DN=4 sc,tso,pso,ra,rc11 576
 * counts -DN=5 rc11 14400
 *
 * By reads-from (N + 1)^(N - 1): a load reads from an increment or not, in no circle, so they make
 * the trees of N + 1 nodes (Cayley).
 *
 * counts-rf -DN=2 sc,tso,pso,ra,rc11 3
 * counts-rf -DN=3 sc,tso,pso,ra,rc11 16
 * counts-rf -DN=4 sc,tso,pso,ra,rc11 125
 * counts-rf -DN=5 rc11 1296
 */
#include "counts.h"

atomic_int x;

THREAD(increment)
{
	int r = load(&x, RLX);

	store(&x, r + 1, RLX);
	return NULL;
}

int main(void)
{
	start_many(increment, N);
	join_all(NULL);
	return 0;
}
