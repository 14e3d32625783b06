/* SPDX-License-Identifier: ISC */
/* timespec.h - struct timespec and nanoseconds. */
#ifndef INTERCEPT_TIMESPEC_H
#define INTERCEPT_TIMESPEC_H

#include "base/base.h"

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

#endif
