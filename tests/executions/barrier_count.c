/* SPDX-License-Identifier: ISC */
/* A barrier that is only a counter: increment it, and wait until it is N: N! orders of arrival, and
 * in each every thread has to have seen N, or its own increment made it so.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 2
 * counts -DN=3 sc,tso,pso,ra,rc11 6
 * counts -DN=4 sc,tso,pso,ra,rc11 24
 * counts -DN=5 rc11 120
 */
#include "counts.h"

atomic_int arrived;

THREAD(thread)
{
	add(&arrived, 1, ACQ_REL);
	while (load(&arrived, ACQ) != N)
		;
	return NULL;
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	return 0;
}
