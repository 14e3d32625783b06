/* SPDX-License-Identifier: ISC */
/* pthread_cond.c - condition variables, see sync/cond.h. */
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "sync/cond.h"
#include "machine/wait/sync.h"

#include <errno.h>

INTERCEPT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	cond_init_begins(c);
	return sync_init_ends(c, 0, real(pthread_cond_init)(c, attr));
}

INTERCEPT int pthread_cond_destroy(pthread_cond_t *c)
{
	NATIVELY(pthread_cond_destroy, c);
	return cond_destroy(c);
}

INTERCEPT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	NATIVELY(pthread_cond_wait, c, m);
	lent_run_all();
	return cond_wait(c, m);
}

INTERCEPT int pthread_cond_timedwait(
	pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *at)
{
	NATIVELY(pthread_cond_timedwait, c, m, at);
	return cond_timedwait(c, m, cond_clock(c), at);
}

INTERCEPT int pthread_cond_clockwait(
	pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *at)
{
	NATIVELY(pthread_cond_clockwait, c, m, clock, at);
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return cond_timedwait(c, m, clock, at);
}

INTERCEPT int pthread_cond_signal(pthread_cond_t *c)
{
	NATIVELY(pthread_cond_signal, c);
	return cond_signal(c);
}

INTERCEPT int pthread_cond_broadcast(pthread_cond_t *c)
{
	NATIVELY(pthread_cond_broadcast, c);
	return cond_broadcast(c);
}
