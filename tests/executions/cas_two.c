/* SPDX-License-Identifier: ISC */
/* A loop that tries two compare-and-exchanges until one of them succeeds, and a thread that stores
 * N values of which the last is the one it waits for. The number of failures before that, and the
 * values seen, make no executions. -DFIRST: the values are the first one's.
 *
 * counts -DN=1 sc,tso,pso,ra,rc11 1
 * counts -DN=8 sc,tso,pso,ra,rc11 1
 * counts -O0 -DN=8 sc,tso,pso,ra,rc11 1
 * counts -O2 -DN=8 sc,rc11 1
 * counts -DFIRST -DN=8 sc,tso,pso,ra,rc11 1 blocked 8
 * counts -O0 -DFIRST -DN=8 sc,rc11 1 blocked 8
 */
#include "counts.h"

atomic_int a, b;

THREAD(try)
{
	(void)arg;
	while (!cas(&a, -1, 0, ACQ) && !cas(&b, -1, 0, ACQ))
		;
	return NULL;
}

int main(void)
{
	start(try, 0);
	for (int i = 1; i <= N; i++)
#ifdef FIRST
		store(&a, i == N ? -1 : i, REL);
#else
		store(&b, i == N ? -1 : i, REL);
#endif
	join_all(NULL);
	return 0;
}
