/* SPDX-License-Identifier: ISC */
/* pthread_rwlock.c - read-write locks, see sync/rwlock.h. */
#include "intercept/intercept.h"
#include "sync/rwlock.h"
#include "machine/wait/sync.h"

#include <errno.h>

INTERCEPT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	rwlock_init_begins(l);
	return sync_init_ends(l, 0, real(pthread_rwlock_init)(l, attr));
}

INTERCEPT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	NATIVELY(pthread_rwlock_destroy, l);
	return rwlock_destroy(l);
}

INTERCEPT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	NATIVELY(pthread_rwlock_rdlock, l);
	return rwlock_rdlock(l);
}

INTERCEPT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	NATIVELY(pthread_rwlock_wrlock, l);
	return rwlock_wrlock(l);
}

ATTEMPT(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *l), (l))
{
	return rwlock_tryrdlock(l);
}

ATTEMPT(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *l), (l))
{
	return rwlock_trywrlock(l);
}

ATTEMPT(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *l, const struct timespec *at),
	(l, at))
{
	return rwlock_timedrdlock(l, CLOCK_REALTIME, at);
}

ATTEMPT(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *l, const struct timespec *at),
	(l, at))
{
	return rwlock_timedwrlock(l, CLOCK_REALTIME, at);
}

static bool clock_is_valid(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

ATTEMPT(int, pthread_rwlock_clockrdlock,
	(pthread_rwlock_t * l, clockid_t clock, const struct timespec *at), (l, clock, at))
{
	return clock_is_valid(clock) ? rwlock_timedrdlock(l, clock, at) : EINVAL;
}

ATTEMPT(int, pthread_rwlock_clockwrlock,
	(pthread_rwlock_t * l, clockid_t clock, const struct timespec *at), (l, clock, at))
{
	return clock_is_valid(clock) ? rwlock_timedwrlock(l, clock, at) : EINVAL;
}

INTERCEPT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	NATIVELY(pthread_rwlock_unlock, l);
	return rwlock_unlock(l);
}
