/* SPDX-License-Identifier: ISC */
/* A thread takes a lock, reads, and releases it, until another one has set a flag. The number of
 * fruitless iterations before that makes no executions.
 *
 * By default the lock is a mutex. -DSPIN: a pthread_spinlock_t. -DCAS: one of its own. -DINSIDE: the
 * loop begins and ends under the lock. -DSERVER: it waits for no flag, and never ends; the other
 * one takes the lock once. -DTWO: two threads poll, and then take the lock in either order. -DEACH:
 * the other one also polls for a flag set by the first: two orders of setting, two of the last
 * reads.
 *
 * counts sc,tso,pso,ra,rc11 1
 * counts -O0 sc,tso,pso,ra,rc11 1
 * counts -O2 sc,tso,pso,ra,rc11 1
 * counts -DSPIN sc,tso,pso,ra,rc11 1
 * counts -DINSIDE sc,tso,pso,ra,rc11 1
 * counts -DCAS sc,tso,pso,ra,rc11 1
 * counts-files -DCAS rc11 2
 * counts -DSERVER sc,tso,pso,ra,rc11 2
 * counts -DTWO sc,tso,pso,ra,rc11 2
 * counts -DTWO -O0 sc,rc11 2
 * counts -DTWO -DSPIN sc,rc11 2
 * counts -DEACH sc,tso,pso,ra,rc11 4
 * counts -DEACH -O0 sc,rc11 4
 * counts -DEACH -DSPIN sc,rc11 4
 */
#include "counts.h"

#include <sched.h>

int set[2];

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

#if defined(INSIDE)
static void wait_until(const int *what)
{
	TAKE();
	while (!*what) {
		GIVE();
		sched_yield();
		TAKE();
	}
	GIVE();
}
#else
static void wait_until(const int *what)
{
	int seen;

	do {
		TAKE();
		seen = what ? *what : 0;
		GIVE();
		sched_yield();
	} while (!seen);
}
#endif

static void say(int *what)
{
	TAKE();
	*what = 1;
	GIVE();
}

THREAD(poll)
{
	(void)arg;
#ifdef EACH
	say(&set[1]);
#endif
#ifdef SERVER
	wait_until(NULL);
#else
	wait_until(&set[0]);
#endif
	return NULL;
}

int main(void)
{
#ifdef SPIN
	pthread_spin_init(&lock, 0);
#endif
	start(poll, 0);
#ifdef TWO
	start(poll, 1);
#endif
	say(&set[0]);
#ifdef EACH
	wait_until(&set[1]);
#endif
#ifndef SERVER
	join_all(NULL);
#endif
	return 0;
}
