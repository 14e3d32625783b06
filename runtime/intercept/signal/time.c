/* SPDX-License-Identifier: ISC */
/*
 * time.c - clocks and sleeping: virtual while exploring, see machine/wait/vtime.h.
 *
 * Reading a clock advances it a little and counts as progress, so that a loop that waits for a time
 * ends, and is not treated as a spin loop. Sleeping lets others run.
 */
#include "intercept/intercept.h"
#include "machine/core.h"
#include "machine/wait/interrupt.h"
#include "machine/execution/signal.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <sys/times.h>

#define SECOND 1000000000ull

static u64 read_clock_of(clockid_t clock)
{
	return vtime_base(clock) + vtime_read();
}

#define GIVE(to, answer) give(__builtin_return_address(0), to, &(answer), sizeof(answer))

static struct timespec timespec_of(u64 ns)
{
	return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

/* Negative ones are of processes and threads. 10 was once one. */
static bool is_clock(clockid_t clock)
{
	return clock <= CLOCK_TAI && clock != 10;
}

int time_gettime(const void *caller, clockid_t clock, struct timespec *to)
{
	struct timespec now;

	if (!is_clock(clock))
		return (int)errno_return(-EINVAL);
	now = timespec_of(read_clock_of(clock));
	give(caller, to, &now, sizeof now);
	return 0;
}

INTERCEPT int clock_gettime(clockid_t clock, struct timespec *to)
{
	NATIVELY_OR_OURS(clock_gettime, clock, to);
	return time_gettime(__builtin_return_address(0), clock, to);
}

INTERCEPT int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
	struct timeval now;
	u64 ns;

	NATIVELY(gettimeofday, to, zone);
	ns = read_clock_of(CLOCK_REALTIME);
	now = (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
	GIVE(to, now);
	return 0;
}

INTERCEPT time_t time(time_t *to)
{
	time_t now;

	NATIVELY(time, to);
	now = (time_t)(read_clock_of(CLOCK_REALTIME) / SECOND);
	GIVE(to, now);
	return now;
}

INTERCEPT clock_t clock(void)
{
	NATIVELY(clock);
	return (clock_t)(read_clock_of(CLOCK_PROCESS_CPUTIME_ID) / 1000);
}

INTERCEPT int timespec_get(struct timespec *to, int base)
{
	struct timespec now;

	NATIVELY(timespec_get, to, base);
	if (base != TIME_UTC)
		return 0;
	now = timespec_of(read_clock_of(CLOCK_REALTIME));
	GIVE(to, now);
	return base;
}

INTERCEPT clock_t times(struct tms *to)
{
	struct tms now = {0};
	clock_t ticks;

	NATIVELY(times, to);
	ticks = (clock_t)(read_clock_of(CLOCK_MONOTONIC) / (SECOND / 100));
	now.tms_utime = ticks;
	GIVE(to, now);
	return ticks;
}

/* --- sleeping -------------------------------------------------------------------------------- */

/* A loop that only sleeps may wait to be cancelled. False: interrupted. */
static bool sleep_for(u64 ns)
{
	if (M.options->sleepers == SLEEPERS_ANY || !ns)
		interrupt_before_sleep();
	return machine_sleep(ns);
}

/* Of a sleep that was interrupted. */
static u64 time_left(void)
{
	return vtime_until(thread_self()->deadline);
}

/* 0, EINVAL or EINTR: then *left is the remaining time. */
static int sleep_timespec(
	clockid_t clock, bool absolute, const struct timespec *t, struct timespec *left)
{
	u64 deadline, ns;
	bool slept;

	if (!vtime_deadline(clock, t, &deadline) || t->tv_sec < 0)
		return EINVAL;
	if (absolute) {
		slept = sleep_for(vtime_until(deadline));
	} else {
		if (__builtin_mul_overflow((u64)t->tv_sec, SECOND, &ns) ||
			__builtin_add_overflow(ns, (u64)t->tv_nsec, &ns))
			ns = UINT64_MAX;
		slept = sleep_for(ns);
	}
	if (!slept && left && !absolute)
		*left = timespec_of(time_left());
	return slept ? 0 : EINTR;
}

ATTEMPT(int, nanosleep, (const struct timespec *t, struct timespec *left),
	(t, left))
{
	return (int)errno_return(-sleep_timespec(CLOCK_MONOTONIC, false, t, left));
}

ATTEMPT(int, clock_nanosleep,
	(clockid_t clock, int flags, const struct timespec *t, struct timespec *left),
	(clock, flags, t, left))
{
	return sleep_timespec(clock, flags & TIMER_ABSTIME, t, left);
}

ATTEMPT(unsigned, sleep, (unsigned seconds), (seconds))
{
	return sleep_for(seconds * SECOND) ? 0 : (unsigned)(time_left() / SECOND);
}

ATTEMPT(int, usleep, (useconds_t us), (us))
{
	return (int)errno_return(sleep_for(us * 1000ull) ? 0 : -EINTR);
}

INTERCEPT int sched_yield(void)
{
	NATIVELY(sched_yield);
	machine_yield(EV_YIELD);
	return 0;
}
