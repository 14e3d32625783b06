/* SPDX-License-Identifier: ISC */
/*
 * estimate.h - an estimate of the number of executions, during the exploration.
 *
 * Idea.   The remaining work is a number of choices not made yet: the frontier. A choice is
 *         expected to have as many executions as earlier ones at graphs with as many events (Chen's
 *         stratified version of Knuth's estimator). Depth-first search explores small subtrees
 *         first and extrapolates the others, so early estimates are poor, and not used: an estimate
 *         is stable if it did not change while the work doubled.
 */
#ifndef TRUST_ESTIMATE_H
#define TRUST_ESTIMATE_H

#include "base/base.h"

struct trust;

#define ESTIMATE_EVENTS 4096 /* larger graphs count as this large */
#define ESTIMATE_NONE	UINT64_MAX

/* Subtrees that have been explored. */
struct stratum {
	u64 leaves, n;
};

struct estimate {
	struct stratum forward[ESTIMATE_EVENTS + 1]; /* by the number of events where they begin */
	struct stratum revisit[ESTIMATE_EVENTS + 1];
	u64 began[ESTIMATE_EVENTS + 1]; /* leaves when the present choice of an event was made */
	double last[4]; /* recent estimates, each after a quarter more executions */
	u64 last_leaves;
	u32 nlast;
};

static inline void estimate_begin(struct estimate *s, u32 e, u64 leaves)
{
	if (e <= ESTIMATE_EVENTS)
		s->began[e] = leaves;
}

/* The current choice of e, the last event, is finished. */
static inline void estimate_end(struct estimate *s, u32 e, u64 leaves)
{
	if (e > ESTIMATE_EVENTS || s->began[e] == ESTIMATE_NONE)
		return;
	s->forward[e].leaves += leaves - s->began[e];
	s->forward[e].n++;
}

/* Return from a revisit with these leaves, whose graph had `base` events at first, to a graph of
 * n. */
void estimate_back(struct estimate *s, u32 base, u32 n, u64 leaves);

/* The estimated number of all leaves; takes a while. x is unchanged afterwards. */
double estimate_leaves(struct trust *x);

/* The least of the recent estimates of leaves, stable or not; 0: there are too few. */
u64 estimate_least(const struct estimate *s);

/* The same for executions that count; 0 while not stable. To be called from time to time. */
double estimate_executions(struct trust *x);

/* Is an estimate, `now`, after so many leaves, stable? */
bool estimate_stable(struct estimate *s, double now, u64 leaves);

#endif
