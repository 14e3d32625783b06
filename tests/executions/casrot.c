/* SPDX-License-Identifier: ISC */
/* Thread i changes x from i to i + 1, if it is i. A thread whose predecessor failed must fail; it
 * has read 0 or any number up to the last one written. a(N, m), m numbers readable:
 * f(i, m) = (m - [i was written last]) * f(i + 1, m) + [i was written last] * f(i + 1, m + 1).
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 5
 * counts -DN=4 sc,tso,pso,ra,rc11 14
 * counts -DN=5 sc,tso,pso,ra,rc11 43
 * counts -DN=6 sc,tso,pso,ra,rc11 144
 * counts -DN=7 sc,tso,pso,ra,rc11 523
 * counts -DN=8 sc,rc11 2048
 * counts -DN=9 rc11 8597
 */
#include "counts.h"

atomic_int x;

THREAD(rotate)
{
	RETURN(cas(&x, INDEX, INDEX + 1, ACQ_REL), 0, 0, 0);
}

int main(void)
{
	start_many(rotate, N);
	join_all(NULL);
	return 0;
}
