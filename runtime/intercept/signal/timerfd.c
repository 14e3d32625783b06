/* SPDX-License-Identifier: ISC */
/* timerfd.c - interceptors of timerfds, which run on virtual time. */
#include "intercept/intercept.h"
#include "intercept/signal/timespec.h"
#include "kernel/descriptor.h"
#include "kernel/timer.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <sys/timerfd.h>

INTERCEPT int timerfd_create(clockid_t clock, int flags)
{
	NATIVELY(timerfd_create, clock, flags);
	if (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC))
		return (int)errno_return(-EINVAL);
	if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)
		return (int)errno_return(-EINVAL);
	return (int)errno_return(
		descriptor_open(timer_new(clock == CLOCK_REALTIME, flags & TFD_NONBLOCK)));
}

static void give_timer(const void *caller, struct timer t, struct itimerspec *to)
{
	struct itimerspec spec = {timespec_of_ns(t.interval), {0}};
	u64 left = t.deadline ? vtime_until(t.deadline) : 0;

	spec.it_value = timespec_of_ns(t.deadline && !left ? t.interval : left);
	give(caller, to, &spec, sizeof spec);
}

/* The timer that is open there; FILE_NONE: errno is set. */
static struct file timer_at(int fd)
{
	struct file f = descriptor_file(fd);

	if (f.kind == FILE_TIMER)
		return f;
	errno_return(f.kind ? -EINVAL : -EBADF);
	return (struct file){0};
}

INTERCEPT int timerfd_settime(
	int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	struct itimerspec spec;
	struct timer t;
	struct file f;

	NATIVELY(timerfd_settime, fd, flags, new, old);
	f = timer_at(fd);
	if (!f.kind)
		return -1;
	take(__builtin_return_address(0), &spec, new, sizeof spec);
	if (!timespec_is_valid(spec.it_value) || !timespec_is_valid(spec.it_interval))
		return (int)errno_return(-EINVAL);
	t.deadline = timer_deadline(f.semaphore, spec.it_value, flags & TFD_TIMER_ABSTIME);
	t.interval = timespec_ns(spec.it_interval);
	give_timer(__builtin_return_address(0), timer_set(f, t), old);
	return 0;
}

INTERCEPT int timerfd_gettime(int fd, struct itimerspec *to)
{
	struct file f;

	NATIVELY(timerfd_gettime, fd, to);
	f = timer_at(fd);
	if (!f.kind)
		return -1;
	give_timer(__builtin_return_address(0), timer_get(f), to);
	return 0;
}
