/* SPDX-License-Identifier: ISC */
/* sem.c - POSIX semaphores, see sync/sem.h. Named ones reach other processes: refused. */
#include "intercept/intercept.h"
#include "sync/sem.h"
#include "machine/sync.h"

#include <errno.h>

INTERCEPT int sem_init(sem_t *s, int shared, unsigned value)
{
	int result;

	sync_init_begins(s, value);
	if (machine_exploring)
		sync_check_unused(EV_INIT, s, "initialisation of a semaphore");
	result = real(sem_init)(s, shared, value);
	if (!result)
		sem_begin(s);
	return sync_init_ends(s, value, result);
}

INTERCEPT int sem_destroy(sem_t *s)
{
	NATIVELY(sem_destroy, s);
	return (int)errno_return(-sem_end(s));
}

INTERCEPT int sem_wait(sem_t *s)
{
	NATIVELY(sem_wait, s);
	return (int)errno_return(-sem_take(s));
}

ATTEMPT(int, sem_trywait, (sem_t *s), (s))
{
	return (int)errno_return(-sem_try(s));
}

ATTEMPT(int, sem_timedwait, (sem_t *s, const struct timespec *at),
	(s, at))
{
	return (int)errno_return(-sem_take_until(s, CLOCK_REALTIME, at));
}

ATTEMPT(int, sem_clockwait, (sem_t *s, clockid_t clock, const struct timespec *at),
	(s, clock, at))
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return (int)errno_return(-EINVAL);
	return (int)errno_return(-sem_take_until(s, clock, at));
}

INTERCEPT int sem_post(sem_t *s)
{
	NATIVELY(sem_post, s);
	return (int)errno_return(-sem_give(s));
}

INTERCEPT int sem_getvalue(sem_t *s, int *value)
{
	NATIVELY(sem_getvalue, s, value);
	return sem_value(s, value);
}

INTERCEPT sem_t *sem_open(const char *name, int flags, ...)
{
	va_list ap;
	mode_t mode;
	unsigned value;

	if (machine_entered())
		machine_refuse(
			"sem_open(\"%s\"): named semaphores are shared with other processes, "
			"which cannot be explored; use sem_init()",
			name);
	va_start(ap, flags); /* there or not: reading what was not passed does no harm */
	mode = va_arg(ap, mode_t);
	value = va_arg(ap, unsigned);
	va_end(ap);
	return real(sem_open)(name, flags, mode, value);
}
