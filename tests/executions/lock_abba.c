/* SPDX-License-Identifier: ISC */
/* Two threads, two mutexes, opposite order: two executions end, and one is a deadlock.
 *
 * counts sc,tso,pso,ra,rc11 2 deadlock
 */
#include "counts.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

THREAD(ab)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

THREAD(ba)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	start(ab, 0);
	start(ba, 0);
	join_all(NULL);
	return 0;
}
