/* SPDX-License-Identifier: ISC */
/* x=1 with N threads that change x from 1 to 2 if it is 1. Those that read 0 fail; of k others one
 * succeeds and k - 1 read its 2: the sum over k of C(N,k) * max(k, 1), which is N * 2^(N-1) + 1.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 5
 * counts -DN=3 sc,tso,pso,ra,rc11 13
 * counts -DN=4 sc,tso,pso,ra,rc11 33
 * counts -DN=5 sc,tso,pso,ra,rc11 81
 * counts -DN=6 sc,tso,pso,ra,rc11 193
 * counts -DN=7 sc,tso,pso,ra,rc11 449
 * counts -DN=8 sc,rc11 1025
 * counts -DN=9 rc11 2305
 */
#include "counts.h"

atomic_int x;

THREAD(writer)
{
	store(&x, 1, REL);
	return NULL;
}

THREAD(change)
{
	RETURN(cas(&x, 1, 2, ACQ_REL), 0, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start_many(change, N);
	join_all(NULL);
	return 0;
}
