/* SPDX-License-Identifier: ISC */
/* One writer, N readers of one variable: each saw the write or not, 2^N.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 4
 * counts -DN=8 sc,tso,pso,ra,rc11 256
 * counts -DN=10 sc,tso,pso,ra,rc11 1024
 * counts -DN=13 sc,rc11 8192
 * counts-bench -DN=15 sc,tso,pso,ra,rc11 32768
 * counts-bench -DN=17 rc11 131072
 * counts-rf -DN=8 sc,tso,pso,ra,rc11 256
 */
#include "counts.h"

atomic_int x;

THREAD(writer)
{
	store(&x, 1, RLX);
	return NULL;
}

THREAD(reader)
{
	RETURN(load(&x, RLX), 0, 0, 0);
}

int main(void)
{
	start(writer, 0);
	start_many(reader, N);
	join_all(NULL);
	return 0;
}
