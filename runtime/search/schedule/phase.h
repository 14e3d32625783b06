/* SPDX-License-Identifier: ISC */
/* phase.h - a part of a search: one strategy of schedules, with a share of the budget. */
#ifndef SEARCH_SCHEDULE_PHASE_H
#define SEARCH_SCHEDULE_PHASE_H

#include "machine/core.h"

struct phase {
	enum strategy strategy;
	u64 executions; /* at most, 0 = no limit */
	u64 until;	/* clock_ns() at which it ends, 0 = never */
	u64 seed_offset;
	const struct strategy_ops *ops; /* NULL: the strategy's own */
	u64 cpu_until;	/* cpu_ns() at which it ends, 0 = never */
	u64 depth;	/* of pct; 0 = the option's */
	u64 worth;	/* dfs: it ends when it seems to take more nanoseconds; 0 = never */
	u64 delays;	/* of a level of deepen.h; 0 = none, or another bound */
	bool deepens;	/* dfs: a level of deepen.h */
	bool again;	/* like an earlier one, in which nondeterminism would have shown */
};

/* Run it; returns whether it was exhaustive. M.bounds has the reasons, if not. */
bool phase_run(const struct phase *p);

/* Rounds of samples, by different strategies in turn; pct with depths from 1 to --depth. The rounds
 * are numbered from `first` on, and all differ. */
#define PHASE_SAMPLERS 8 /* so many rounds contain every strategy */
void phase_samples(u32 first, u32 rounds, u64 executions, u64 until);

/* Samples by one strategy, until a bound is reached. */
void phase_sample(enum strategy strategy);

#endif
