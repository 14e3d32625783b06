/* SPDX-License-Identifier: ISC */
/* timespec.h - struct timespec and nanoseconds. */
#ifndef INTERCEPT_SIGNAL_TIMESPEC_H
#define INTERCEPT_SIGNAL_TIMESPEC_H

#include "base/base.h"

#include "machine/wait/vtime.h"

#include <time.h>

#define TIMESPEC_SECOND 1000000000ull

static inline bool timespec_is_valid(struct timespec t)
{
	return t.tv_sec >= 0 && t.tv_nsec >= 0 && (u64)t.tv_nsec < TIMESPEC_SECOND;
}

static inline u64 timespec_ns(struct timespec t)
{
	return (u64)t.tv_sec * TIMESPEC_SECOND + (u64)t.tv_nsec;
}

static inline struct timespec timespec_of_ns(u64 ns)
{
	return (struct timespec){(time_t)(ns / TIMESPEC_SECOND), (long)(ns % TIMESPEC_SECOND)};
}

/* The virtual time of a timer's setting, on the wall clock or the monotonic one; 0: disarmed. */
static inline u64 timer_deadline(bool wall, struct timespec t, bool absolute)
{
	u64 base = vtime_base(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC);
	u64 ns = timespec_ns(t);

	if (!ns)
		return 0;
	if (!absolute)
		return vtime_after(ns);
	return ns > base ? ns - base : 1;
}

#endif
