/* SPDX-License-Identifier: ISC */
/* A thread takes a lock to look, and releases it, until another one has set what it looks for. How
 * often it looks before that is no execution: only whether the other one came to the lock after a
 * look in vain, or first.
 *
 * By default the lock is a mutex. -DSPIN: a pthread_spinlock_t. -DCAS: an own one. -DINSIDE: the
 * loop begins and ends under the lock. -DSERVER: it looks for nothing, and never ends; the other
 * one takes the lock once.
 *
 * counts sc,tso,pso,ra,rc11 2
 * counts -O0 sc,tso,pso,ra,rc11 2
 * counts -O2 sc,tso,pso,ra,rc11 2
 * counts -DSPIN sc,tso,pso,ra,rc11 2
 * counts -DCAS sc,rc11 3
 * counts -DSERVER sc,tso,pso,ra,rc11 2
 */
#include "counts.h"

#include <sched.h>

int set;

#if defined(SPIN)
pthread_spinlock_t lock;
#define TAKE() pthread_spin_lock(&lock)
#define GIVE() pthread_spin_unlock(&lock)
#elif defined(CAS)
atomic_int lock;
#define TAKE() \
	while (!cas(&lock, 0, 1, ACQ)) \
		;
#define GIVE() store(&lock, 0, REL)
#else
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE() pthread_mutex_lock(&lock)
#define GIVE() pthread_mutex_unlock(&lock)
#endif

THREAD(poll)
{
	int seen;

	(void)arg;
	do {
		TAKE();
#ifdef SERVER
		seen = 0;
#else
		seen = set;
#endif
		GIVE();
		sched_yield();
	} while (!seen);
	return NULL;
}

int main(void)
{
#ifdef SPIN
	pthread_spin_init(&lock, 0);
#endif
	start(poll, 0);
	TAKE();
	set = 1;
	GIVE();
#ifndef SERVER
	join_all(NULL);
#endif
	return 0;
}
