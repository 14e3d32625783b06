/* SPDX-License-Identifier: ISC */
/* WAITERS wait for a condition that SETTERS make true, and wake one (-DWAKE=pthread_cond_signal)
 * or all.
 *
 * Two waiters and a broadcast: both come after it (2 orders of the mutex), or one before and the
 * other after (2 which, 2 orders, as the woken one has to lock again), or both before (2 orders
 * of waiting, 2 of waking: 4); in all 2 + 4 + 4 = 10; for three 3! + 3 * 3! + 3 * 2 * 3! + 3! *
 * 3! = 96. With one signal the last case leaves one of the two asleep for ever: 6 executions end.
 * Two setters that signal: 68 by brute force. C11's cnd_t is the same. So it is when the waiters'
 * numbers are too large for 64 bits of state (BEFORE threads are created first).
 *
 * counts -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 2
 * counts -DWAITERS=3 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 6
 * counts -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_signal sc,tso,pso,ra,rc11 6 deadlock
 * counts -DWAITERS=2 -DSETTERS=2 -DWAKE=pthread_cond_signal sc,tso,pso,ra,rc11 12
 * counts -DOUTSIDE -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,pso,ra,rc11 2
 * counts -DBEFORE=14 -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,rc11 2
 * counts -DBEFORE=12 -DWAITERS=3 -DSETTERS=1 -DWAKE=pthread_cond_broadcast rc11 6
 * counts -DBEFORE=14 -DWAITERS=2 -DSETTERS=2 -DWAKE=pthread_cond_signal tso,rc11 12
 * counts-unreduced -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,rc11 10
 * counts-unreduced -DWAITERS=3 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,rc11 96
 * counts-unreduced -DWAITERS=2 -DSETTERS=2 -DWAKE=pthread_cond_signal sc,tso,rc11 68
 * counts-unreduced -DOUTSIDE -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,rc11 10
 * counts-unreduced -DBEFORE=14 -DWAITERS=2 -DSETTERS=1 -DWAKE=pthread_cond_broadcast sc,tso,rc11 10
 * counts-unreduced -DBEFORE=12 -DWAITERS=3 -DSETTERS=1 -DWAKE=pthread_cond_broadcast rc11 96
 * counts-unreduced -DBEFORE=14 -DWAITERS=2 -DSETTERS=2 -DWAKE=pthread_cond_signal tso,rc11 68
 */
#include "counts.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int set;

THREAD(waiter)
{
	pthread_mutex_lock(&mutex);
	while (!set)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

THREAD(setter)
{
	pthread_mutex_lock(&mutex);
	set++;
#ifdef OUTSIDE
	pthread_mutex_unlock(&mutex);
	WAKE(&cond);
#else
	WAKE(&cond);
	pthread_mutex_unlock(&mutex);
#endif
	return NULL;
}

#ifdef BEFORE
THREAD(other)
{
	return NULL;
}
#endif

int main(void)
{
#ifdef BEFORE
	start_many(other, BEFORE);
#endif
	start_many(waiter, WAITERS);
	start_many(setter, SETTERS);
	join_all(NULL);
	assert(set == SETTERS);
	return 0;
}
