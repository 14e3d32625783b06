/* SPDX-License-Identifier: ISC */
/* N writers: of N variables (one execution), or of one (-DLOC: each order of the writes is an
 * execution, N!). -DLOC -DREADER: and one reader, N! * (N + 1).
 *
 * counts -DN=4 sc,tso,pso,ra,rc11 1
 * counts -DN=15 sc,tso,pso,ra,rc11 1
 * counts -DLOC -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DLOC -DN=6 sc,tso,pso,ra,rc11 720
 * counts -DLOC -DREADER -DN=4 sc,tso,pso,ra,rc11 120
 * counts -DLOC -DREADER -DN=5 sc,tso,pso,ra,rc11 720
 * counts-bench -DLOC -DN=8 sc,tso,pso,ra,rc11 40320
 *
 * By reads-from: what the reader sees.
 *
 * counts-rf -DLOC -DN=15 sc,tso,pso,ra,rc11 1
 * counts-rf -DLOC -DREADER -DN=4 sc,tso,pso,ra,rc11 5
 * counts-rf -DLOC -DREADER -DN=12 sc,tso,pso,ra,rc11 13
 */
#include "counts.h"

atomic_int x[N];

THREAD(writer)
{
#ifdef LOC
	store(&x[0], INDEX + 1, RLX);
#else
	store(&x[INDEX], 1, RLX);
#endif
	return NULL;
}

THREAD(reader)
{
	RETURN(load(&x[0], RLX), 0, 0, 0);
}

int main(void)
{
	start_many(writer, N);
#ifdef READER
	start(reader, 0);
#else
	(void)reader;
#endif
	join_all(NULL);
	return 0;
}
