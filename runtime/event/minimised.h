/* SPDX-License-Identifier: ISC */
/* minimised.h - counts of the search for a simpler execution. */
#ifndef EVENT_MINIMISED_H
#define EVENT_MINIMISED_H

#include "base/base.h"

/* The execution shown differs from the one found: counts of both. */
struct trace_minimised {
	u32 tries;    /* executions tried; 0 = no search */
	u32 complete; /* there was time for all */
	u32 rare, relaxed, delayed, switches, steps; /* explore/schedule.h: struct schedule_cost */
	u32 to_rare, to_relaxed, to_delayed, to_switches, to_steps;
};

#endif
