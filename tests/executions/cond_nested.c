/* SPDX-License-Identifier: ISC */
/* The waiter of a condition that is never signalled has before, and the other thread has
 * afterwards, taken its mutex within another one. The inner sections, that with the wait, and the
 * last ones have 7 orders in which the condition is true when it is waited for; in another one the
 * waiter sleeps for ever. (Whether the waiter has to wait is tried in a graph of its own, also
 * where graphs are looked at that end asleep.)
 *
 * counts -O1 sc,tso,pso,ra,rc11 7 deadlock
 * counts -O0 sc 7 deadlock
 * counts-unreduced -O1 sc,tso,pso,ra,rc11 7 deadlock
 */
#include "counts.h"

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int set, count;

static void touch(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

THREAD(waiter)
{
	pthread_mutex_lock(&outer);
	touch();
	pthread_mutex_unlock(&outer);
	pthread_mutex_lock(&mutex);
	while (!set)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&outer);
	count++;
	pthread_mutex_unlock(&outer);
	return NULL;
}

THREAD(setter)
{
	pthread_mutex_lock(&mutex);
	set = 1;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&outer);
	count++;
	touch();
	pthread_mutex_unlock(&outer);
	return NULL;
}

int main(void)
{
	start(waiter, 0);
	start(setter, 1);
	join_all(NULL);
	return 0;
}
