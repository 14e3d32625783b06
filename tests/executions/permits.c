/* SPDX-License-Identifier: ISC */
/* Counting semaphores by hand: N threads take one of K permits by fetch_sub, and give it back when
 * there was none; each once.
 *
 * counts -DN=2 -DK=1 sc,tso,pso,ra,rc11 6
 * counts -DN=3 -DK=1 sc,tso,pso,ra,rc11 90
 * counts -DN=3 -DK=2 sc,tso,pso,ra,rc11 198
 */
#include "counts.h"

atomic_int permits = K, users;

THREAD(thread)
{
	int got = sub(&permits, 1, ACQ) > 0;

	if (got)
		assert(add(&users, 1, RLX) < K + N);
	add(&permits, 1, REL);
	RETURN(got, 0, 0, 0);
}

int main(void)
{
	start_many(thread, N);
	join_all(NULL);
	assert(load(&permits, RLX) == K);
	return 0;
}
