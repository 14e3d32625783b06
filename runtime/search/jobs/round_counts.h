/* SPDX-License-Identifier: ISC */
/*
 * round_counts.h - the counts of each round of samples, or part of a search (sample_share.h).
 *
 * Several processes make rounds at the same time. Up to a round they have counted what one process
 * counts that makes the rounds in the order of their numbers; later rounds are left out.
 */
#ifndef SEARCH_JOBS_ROUND_COUNTS_H
#define SEARCH_JOBS_ROUND_COUNTS_H

#include "base/base.h"

#define ROUNDS_COUNTED (1u << 20) /* those behind them are counted as one */

struct figures {
	u64 executions, blocked, cut, failing, steps;
	u32 bounds; /* of the process, at the end */
};

/* Figures of this process now. / Of the status page. */
struct figures figures_own(void);
void figures_show(const struct figures *f);
void figures_add(struct figures *to, const struct figures *more);

/* No round has counted anything; `first` is the first one. False: there is no memory. */
bool round_counts_begin(u32 first);

/* This process begins a round, and has ended it: what it has counted since is of that round. */
void round_counts_enter(void);
void round_counts_leave(u32 round);

/* Counted by this process when it began its round. */
u64 round_counts_executions(void);

/* The sum of `before` and of all rounds below this one; including it. */
struct figures round_counts_below(u32 round, struct figures before);
struct figures round_counts_until(u32 round, struct figures before);

/* The round, of those below `end`, in which the sum reaches so many executions, blocked ones
 * included. False: none. Called again with the same `before`, it goes on from where it was. */
bool round_counts_reach(u64 executions, u32 end, const struct figures *before, u32 *round);

#endif
