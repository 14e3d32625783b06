/* SPDX-License-Identifier: ISC */
/* A condition variable, waited for as one should: the waiter comes after the signaller (it finds
 * the condition true), or before (it waits, and is woken): two. The same with a broadcast.
 *
 * (GenMC has no condition variables.)
 *
 * counts sc,tso,pso,ra,rc11 1
 * counts -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 1
 * counts-unreduced sc,tso,pso,ra,rc11 2
 * counts-unreduced -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 2
 */
#include "counts.h"

#ifndef WAKE
#define WAKE pthread_cond_signal
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int ready;

THREAD(waiter)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

THREAD(signaller)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	WAKE(&cond);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	start(waiter, 0);
	start(signaller, 0);
	join_all(NULL);
	return 0;
}
