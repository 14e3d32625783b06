/* SPDX-License-Identifier: ISC */
/* N threads increment x and y; for each of the two a thread reads it once, if a flag was set by
 * then, N + 2 ways: (N! * (N + 2))^2.
 *
 * counts -DN=2 sc,tso,pso,ra,rc11 64
 * counts -DN=3 sc,rc11 900
 * counts -DN=4 rc11 20736
 * counts-bench -DN=4 sc,rc11 20736
 * counts-bench -DN=5 rc11 705600
 */
#include "counts.h"

atomic_int x[2], flag[2];

THREAD(increment)
{
	add(&x[0], 1, RLX);
	add(&x[1], 1, RLX);
	return NULL;
}

THREAD(raise)
{
	store(&flag[INDEX], 1, RLX);
	return NULL;
}

THREAD(look)
{
	int r = -1;

	if (load(&flag[INDEX], RLX))
		r = load(&x[INDEX], RLX);
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start_many(increment, N);
	start_many(look, 2);
	start_many(raise, 2);
	join_all(NULL);
	return 0;
}
