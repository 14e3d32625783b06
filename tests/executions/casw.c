/* SPDX-License-Identifier: ISC */
/* N threads: change x from 0 to my number if it is 0, then x = my number in any case.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 6
 * counts -DN=3 sc,tso,pso,ra,rc11 66
 * counts -DN=4 sc,tso,pso,ra,rc11 1200
 * counts-bench -DN=5 rc11 32880
 *
 * By reads-from as many as nidhugg --sc --rf has.
 *
 * counts-rf -DN=2 sc,tso,pso,ra,rc11 4
 * counts-rf -DN=3 sc,tso,pso,ra,rc11 24
 * counts-rf -DN=4 sc,tso,pso,ra,rc11 200
 */
#include "counts.h"

atomic_int x;

THREAD(thread)
{
	bool changed = cas(&x, 0, INDEX + 1, RLX);

	store(&x, INDEX + 1, RLX);
	RETURN(changed, 0, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
