/* SPDX-License-Identifier: ISC */
/* A thread tries until it succeeds; an iteration that ends as it began is blocked, but not a
 * livelock if the next one could end otherwise. -DWEAK: its weak CAS could always succeed, and
 * fails spuriously. Without: it tries to take a mutex that another thread holds for a moment,
 * before or after that.
 *
 * counts -DWEAK sc,tso,pso,ra,rc11 1
 * counts sc,tso,pso,ra,rc11 2
 * counts-rf -DWEAK sc,tso,pso,ra,rc11 1
 * counts-rf sc,tso,pso,ra,rc11 2
 */
#include "counts.h"

atomic_int x, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

THREAD(try)
{
#ifdef WEAK
	int old = 0;

	while (!atomic_compare_exchange_weak_explicit(&x, &old, 1, RLX, RLX) && !load(&y, RLX))
		old = 0;
#else
	while (pthread_mutex_trylock(&mutex))
		;
	pthread_mutex_unlock(&mutex);
#endif
	return NULL;
}

THREAD(hold)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	start(try, 0);
#ifndef WEAK
	start(hold, 0);
#else
	(void)hold;
#endif
	join_all(NULL);
	return 0;
}
