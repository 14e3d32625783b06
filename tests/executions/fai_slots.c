/* SPDX-License-Identifier: ISC */
/* Threads take numbers by fetch_add and write to the place of that number, as in Herlihy and Wing's
 * queue: N! orders. -DTAKE: a reader swaps each place, from the first to the last number given out,
 * for 0.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DTAKE -DN=1 sc,tso,pso,ra,rc11 3
 * counts -DTAKE -DN=2 sc,tso,pso,ra,rc11 12
 * counts -DTAKE -DN=3 sc,rc11 60
 */
#include "counts.h"

atomic_int back, item[N];

THREAD(put)
{
	int i = add(&back, 1, ACQ_REL);

	store(&item[i], INDEX + 1, REL);
	return NULL;
}

THREAD(get)
{
	int n = load(&back, ACQ);
	int r = 0;

	for (int i = 0; i < n && !r; i++)
		r = swap(&item[i], 0, ACQ_REL);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(put, N);
#ifdef TAKE
	start(get, 0);
#else
	(void)get;
#endif
	join_all(NULL);
	return 0;
}
