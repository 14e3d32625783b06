/* SPDX-License-Identifier: ISC */
/* A condition variable, waited for as one should: the waiter comes after the signaller (it finds
 * the condition true), or before (it waits, and is woken): two. The same with a broadcast.
 *
 * -DSECTIONS=N: the signaller takes the mutex N times before that. Each section is one more place to
 * wait; where there are too many for the search for lost wake-ups, all of them are explored.
 *
 * (GenMC has no condition variables.)
 *
 * counts sc,tso,pso,ra,rc11 1
 * counts -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 1
 * counts -DSECTIONS=20 sc,rc11 1
 * counts -DSECTIONS=140 sc,rc11 142
 * counts-unreduced sc,tso,pso,ra,rc11 2
 * counts-unreduced -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 2
 * counts-unreduced -DSECTIONS=20 sc,rc11 22
 */
#include "counts.h"

#ifndef WAKE
#define WAKE pthread_cond_signal
#endif
#ifndef SECTIONS
#define SECTIONS 0
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
	for (int i = 0; i < SECTIONS; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
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
