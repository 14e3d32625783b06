/* SPDX-License-Identifier: ISC */
/* Main tries once to join a thread that stores x, and then reads x: the attempt fails, and x is 0 or
 * 1, or it succeeds, and x is 1: 3. -DTIMED: with a limit. -DNEVER: the thread waits for ever, which is no
 * deadlock, as main does not have to wait for it.
 *
 * counts sc,tso,pso,ra,rc11 3
 * counts -DTIMED sc,tso,rc11 3
 * counts -DTIMED -DNEVER sc,rc11 2 blocked 1
 */
#include "counts.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

int pthread_tryjoin_np(pthread_t thread, void **result);
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *at);

atomic_int x;
sem_t never;

THREAD(stores)
{
	store(&x, 1, RLX);
#ifdef NEVER
	sem_wait(&never);
#endif
	return arg;
}

int main(void)
{
	struct timespec at;
	int late;

	start(stores, 0);
#ifdef TIMED
	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec++;
	late = pthread_timedjoin_np(counts_id[0], NULL, &at);
	assert(!late || late == ETIMEDOUT);
#else
	late = pthread_tryjoin_np(counts_id[0], NULL);
	assert(!late || late == EBUSY);
#endif
	if (!load(&x, RLX))
		assert(late);
#ifndef NEVER
	if (late)
		pthread_join(counts_id[0], NULL);
#endif
	return 0;
}
