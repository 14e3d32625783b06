/* SPDX-License-Identifier: ISC */
/* pthread_mutex.c - mutexes and spinlocks, see sync/mutex.h and sync/spinlock.h. */
#include "intercept/intercept.h"
#include "sync/mutex.h"
#include "sync/robust.h"
#include "sync/spinlock.h"
#include "machine/wait/sync.h"

#include <errno.h>

INTERCEPT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	mutex_init_begins(m);
	return sync_init_ends(m, 0, real(pthread_mutex_init)(m, attr));
}

INTERCEPT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	NATIVELY(pthread_mutex_destroy, m);
	return mutex_destroy(m);
}

INTERCEPT int pthread_mutex_lock(pthread_mutex_t *m)
{
	NATIVELY(pthread_mutex_lock, m);
	return mutex_lock(m);
}

ATTEMPT(int, pthread_mutex_trylock, (pthread_mutex_t *m), (m))
{
	return mutex_trylock(m);
}

ATTEMPT(int, pthread_mutex_timedlock, (pthread_mutex_t *m, const struct timespec *at),
	(m, at))
{
	return mutex_timedlock(m, CLOCK_REALTIME, at);
}

ATTEMPT(int, pthread_mutex_clocklock,
	(pthread_mutex_t * m, clockid_t clock, const struct timespec *at), (m, clock, at))
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return mutex_timedlock(m, clock, at);
}

INTERCEPT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	NATIVELY(pthread_mutex_unlock, m);
	return mutex_unlock(m);
}

INTERCEPT int pthread_mutex_consistent(pthread_mutex_t *m)
{
	NATIVELY(pthread_mutex_consistent, m);
	return robust_consistent(m);
}

/* --- spinlocks ------------------------------------------------------------------------------- */

INTERCEPT int pthread_spin_init(pthread_spinlock_t *s, int shared)
{
	spinlock_init_begins(s);
	return sync_init_ends((void *)s, 0, real(pthread_spin_init)(s, shared));
}

INTERCEPT int pthread_spin_destroy(pthread_spinlock_t *s)
{
	NATIVELY(pthread_spin_destroy, s);
	return spinlock_destroy(s);
}

INTERCEPT int pthread_spin_lock(pthread_spinlock_t *s)
{
	NATIVELY(pthread_spin_lock, s);
	return spinlock_lock(s);
}

ATTEMPT(int, pthread_spin_trylock, (pthread_spinlock_t *s), (s))
{
	return spinlock_trylock(s);
}

INTERCEPT int pthread_spin_unlock(pthread_spinlock_t *s)
{
	NATIVELY(pthread_spin_unlock, s);
	return spinlock_unlock(s);
}
