/* SPDX-License-Identifier: ISC */
/* Lastzero: thread i of N writes a[i] = a[i-1] + 1, and one searches the array from the end for the
 * last zero: (N + 3) * 2^(N-2).
 *
 * counts -DN=5 sc,tso,pso,ra,rc11 64
 * counts -DN=8 sc,tso,pso,ra,rc11 704
 * counts -DN=10 sc,rc11 3328
 * counts-bench -DN=10 sc,tso,pso,ra,rc11 3328
 * counts-bench -DN=15 sc,rc11 147456
 * counts-rf -DN=5 sc,tso,pso,ra,rc11 64
 * counts-rf -DN=10 sc,rc11 3328
 */
#include "counts.h"

atomic_int a[N + 1];

THREAD(reader)
{
	int i = N;

	while (i > 0 && load(&a[i], ACQ) != 0)
		i--;
	RETURN(i, 0, 0, 0);
}

THREAD(writer)
{
	int i = INDEX + 1;

	store(&a[i], load(&a[i - 1], ACQ) + 1, REL);
	return NULL;
}

int main(void)
{
	start(reader, 0);
	start_many(writer, N);
	join_all(NULL);
	return 0;
}
