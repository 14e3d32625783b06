/* SPDX-License-Identifier: ISC */
/* sem.c - POSIX semaphores, see sync/sem.h, sync/named.h. */
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "sync/named.h"
#include "sync/sem.h"
#include "machine/wait/sync.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

INTERCEPT int sem_init(sem_t *s, int shared, unsigned value)
{
	int result;

	sem_init_begins(s, value);
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
	lent_run_all();
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

/* Refuse a name that only another process has created. */
static void refuse_foreign(const char *name)
{
	char path[NAME_MAX + 16];

	snprintf(path, sizeof path, "/dev/shm/sem.%s", name + strspn(name, "/"));
	if (access(path, F_OK) == 0)
		machine_refuse("sem_open(\"%s\"): %s already exists: semaphores of other "
			       "processes cannot be explored",
			name, path);
}

INTERCEPT sem_t *sem_open(const char *name, int flags, ...)
{
	sem_t *sem = SEM_FAILED;
	va_list ap;
	mode_t mode;
	unsigned value;
	int error;

	va_start(ap, flags); /* passed or not: reading them is harmless */
	mode = va_arg(ap, mode_t);
	value = va_arg(ap, unsigned);
	va_end(ap);
	if (!machine_entered())
		return real(sem_open)(name, flags, mode, value);
	machine_drain(); /* the name may be in the store buffer */
	error = named_open(name, flags, value, &sem);
	if (error == ENOENT)
		refuse_foreign(name);
	errno_return(-error);
	return sem;
}

INTERCEPT int sem_close(sem_t *s)
{
	NATIVELY(sem_close, s);
	return (int)errno_return(-named_close(s));
}

INTERCEPT int sem_unlink(const char *name)
{
	NATIVELY(sem_unlink, name);
	machine_drain();
	return (int)errno_return(-named_unlink(name));
}
