/* SPDX-License-Identifier: ISC */
/* N threads increment a counter: each order of the increments is an execution, N!.
 * K counters, all in the same order: (N!)^K. (K = 1, 2, 3: ainc, binc, cinc.)
 * Up to the names of the threads: (N!)^(K-1).
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 sc,tso,pso,ra,rc11 120
 * counts -DN=6 sc,tso,pso,ra,rc11 720
 * counts -DN=7 sc,rc11 5040
 * counts -DN=3 -DORDER=SC sc,tso,pso,ra,rc11 6
 * counts-bench -DN=7 sc,tso,pso,ra,rc11 5040
 * counts-bench -DN=8 sc,tso,pso,ra,rc11 40320
 * counts-long -DN=9 rc11 362880
 * counts -DK=2 -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DK=2 -DN=3 sc,tso,pso,ra,rc11 36
 * counts -DK=2 -DN=4 sc,tso,pso,ra,rc11 576
 * counts -DK=3 -DN=2 sc,tso,pso,ra,rc11 8
 * counts -DK=3 -DN=3 sc,tso,pso,ra,rc11 216
 * counts -DK=3 -DN=4 rc11 13824
 * counts-bench -DK=2 -DN=5 rc11 14400
 * counts-symmetric -DALIKE -DN=6 sc,tso,pso,ra,rc11 1
 * counts-symmetric -DALIKE -DK=2 -DN=3 sc,rc11 6
 * counts-symmetric -DALIKE -DK=2 -DN=5 rc11 120
 * counts-symmetric -DALIKE -DK=3 -DN=3 sc,tso,pso,ra,rc11 36
 * counts-rf -DN=4 sc,tso,pso,ra,rc11 24
 * counts-rf -DN=6 sc,rc11 720
 */
#include "counts.h"

#ifndef K
#define K 1
#endif
#ifndef ORDER
#define ORDER RLX
#endif

atomic_int x[K];

THREAD(increment)
{
	for (int i = 0; i < K; i++)
		add(&x[i], 1, ORDER);
	return NULL;
}

int main(void)
{
	start_many(increment, N);
	join_all(NULL);
	for (int i = 0; i < K; i++)
		assert(load(&x[i], RLX) == N);
	return 0;
}
