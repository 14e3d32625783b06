/* SPDX-License-Identifier: ISC */
/* N threads try to change x from 0 to their number: one succeeds, the others read its value: N.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 3
 * counts -DN=4 sc,tso,pso,ra,rc11 4
 * counts -DN=5 sc,tso,pso,ra,rc11 5
 * counts -DN=12 sc,tso,pso,ra,rc11 12
 */
#include "counts.h"

atomic_int x;

THREAD(contend)
{
	RETURN(cas(&x, 0, INDEX + 1, ACQ_REL), 0, 0, 0);
}

int main(void)
{
	void *won[N];
	int winners = 0;

	start_many(contend, N);
	join_all(won);
	for (int i = 0; i < N; i++)
		winners += GET(won[i], 0);
	assert(winners == 1);
	return 0;
}
