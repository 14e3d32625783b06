/* SPDX-License-Identifier: ISC */
/* clock.h - the monotonic clock. */
#ifndef TOOLS_CLOCK_H
#define TOOLS_CLOCK_H

#include "base/base.h"

u64 clock_now(void); /* nanoseconds */
double seconds_now(void);

#endif
