/* SPDX-License-Identifier: ISC */
/* clock.c - see clock.h. */
#include "clock.h"

#include <time.h>

u64 clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

double seconds_now(void)
{
	return (double)clock_now() / 1e9;
}
