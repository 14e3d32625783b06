/* SPDX-License-Identifier: ISC */
/* minimised.h - what has been gained by looking for an execution that is easier to read. */
#ifndef EVENT_MINIMISED_H
#define EVENT_MINIMISED_H

#include "base/base.h"

/* Another execution than the one found is shown: what that had, and what this one has. */
struct trace_minimised {
	u32 tries;    /* executions; 0 = none was looked for */
	u32 complete; /* there was time for all */
	u32 rare, relaxed, delayed, switches, steps; /* explore/schedule.h: struct schedule_cost */
	u32 to_rare, to_relaxed, to_delayed, to_switches, to_steps;
};

#endif
