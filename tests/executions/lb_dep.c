/* SPDX-License-Identifier: ISC */
/* LB with dependencies: the second thread copies what it read (data), writes only if it read 1
 * (-DCTRL), or writes a place that depends on it (-DADDR).
 *
 * counts sc,tso,pso,ra,rc11 3
 * counts -DCTRL sc,tso,pso,ra,rc11 2
 * counts -DADDR sc,tso,pso,ra,rc11 3
 */
#include "counts.h"

atomic_int x, y[2];

THREAD(a)
{
	int r = load(&y[0], RLX);

	store(&x, 1, RLX);
	RETURN(r, 0, 0, 0);
}

THREAD(b)
{
	int r = load(&x, RLX);

#if defined(CTRL)
	if (r)
		store(&y[0], 1, RLX);
#elif defined(ADDR)
	store(&y[r], 1, RLX);
#else
	store(&y[0], r, RLX);
#endif
	RETURN(r, 0, 0, 0);
}

int main(void)
{
	start(a, 0);
	start(b, 0);
	join_all(NULL);
	return 0;
}
