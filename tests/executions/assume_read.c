/* SPDX-License-Identifier: ISC */
/* assume(): executions in which it fails do not count. N writers, one reader that only accepts the
 * k-th value: N! orders, one read.
 *
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=3 -DTWICE sc,tso,pso,ra,rc11 6
 * counts -DN=2 -DEITHER sc,tso,pso,ra,rc11 4
 * counts -DN=3 -DEITHER sc,tso,pso,ra,rc11 12
 */
#include "counts.h"

atomic_int x;

THREAD(writer)
{
	store(&x, INDEX + 1, RLX);
	return NULL;
}

THREAD(reader)
{
	int r = load(&x, RLX);

#ifdef EITHER
	assume(r == 0 || r == 1);
#else
	assume(r == 1);
#endif
#ifdef TWICE
	r = load(&x, RLX);
	assume(r == 1);
#endif
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(writer, N);
	start(reader, 0);
	join_all(NULL);
	return 0;
}
