/* SPDX-License-Identifier: ISC */
/* Accesses ordered by create and join need no choice: a parent writes, a child adds, a grandchild
 * adds, and each is joined: one execution. -DRACE: two children race: 2; with a read of main
 * meanwhile (-DMEANWHILE), which sees one of three values, 6.
 *
 * counts sc,tso,pso,ra,rc11 1
 * counts -DRACE sc,tso,pso,ra,rc11 2
 * counts -DRACE -DMEANWHILE sc,tso,pso,ra,rc11 6
 */
#include "counts.h"

atomic_int x;

THREAD(grandchild)
{
	store(&x, load(&x, RLX) + 1, RLX);
	return NULL;
}

THREAD(child)
{
	pthread_t t;

	store(&x, load(&x, RLX) + 1, RLX);
	pthread_create(&t, NULL, grandchild, NULL);
	pthread_join(t, NULL);
	assert(load(&x, RLX) == 3);
	return NULL;
}

THREAD(racer)
{
	RETURN(add(&x, 1, RLX), 0, 0, 0);
}

int main(void)
{
	store(&x, 1, RLX);
#ifdef RACE
	start_many(racer, 2);
#ifdef MEANWHILE
	assert(load(&x, RLX) >= 1);
#endif
	(void)child;
#else
	start(child, 0);
	(void)racer;
#endif
	join_all(NULL);
	assert(load(&x, RLX) == 3);
	return 0;
}
