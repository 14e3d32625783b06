/* SPDX-License-Identifier: ISC */
/*
 * estimate.h - how many executions there will be, while they are explored.
 *
 * Idea.   What is left is a number of choices that have not been made yet: the frontier. How many
 *         executions come of a choice is like that of those made earlier where the graph had as
 *         many events (Chen's stratified version of Knuth's estimator). Depth first means that the
 *         small subtrees are known first; the others are extrapolated, so that early guesses are
 *         bad and unused: an estimate is stable when it has stayed while the work
 *         doubled.
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
	double last[4]; /* what it was lately, each time when a quarter more had been seen */
	u64 last_leaves;
	u32 nlast;
};

static inline void estimate_begin(struct estimate *s, u32 e, u64 leaves)
{
	if (e <= ESTIMATE_EVENTS)
		s->began[e] = leaves;
}

/* The present choice of e, the last event, is done. */
static inline void estimate_end(struct estimate *s, u32 e, u64 leaves)
{
	if (e > ESTIMATE_EVENTS || s->began[e] == ESTIMATE_NONE)
		return;
	s->forward[e].leaves += leaves - s->began[e];
	s->forward[e].n++;
}

/* Back from a revisit, with these leaves, whose graph had `base` events at first, to one of n. */
void estimate_back(struct estimate *s, u32 base, u32 n, u64 leaves);

/* How many leaves there will be in all; takes a while. x is as it was afterwards. */
double estimate_leaves(struct trust *x);

/* The same as executions that count; 0 as long as it is not stable. To be called now and then. */
double estimate_executions(struct trust *x);

/* Is an estimate, `now`, after so many leaves, stable? */
bool estimate_stable(struct estimate *s, double now, u64 leaves);

#endif
