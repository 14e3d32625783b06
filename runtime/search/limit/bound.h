/* SPDX-License-Identifier: ISC */
/* bound.h - bounds that stop a search, and bounds that make it incomplete. */
#ifndef SEARCH_LIMIT_BOUND_H
#define SEARCH_LIMIT_BOUND_H

#include "machine/core.h"

#define BOUNDS_STOPPING \
	(BOUND_EXECUTIONS | BOUND_TIME | BOUND_INTERRUPT | BOUND_FINDING | BOUND_NONDETERMINISM)

/* Bounds that make a finished exhaustive search incomplete. */
#define BOUNDS_INCOMPLETE \
	(BOUND_STEPS | BOUND_BUFFER | BOUND_RANGE | BOUND_NONDETERMINISM | BOUND_WEAK_CAS | \
		BOUND_SPURIOUS | BOUND_TIMEOUTS | BOUND_PREEMPTIONS | BOUND_RACE | BOUND_HEAP | \
		BOUND_DELAYS | BOUND_HANG | BOUND_LONG | BOUND_ROOM | BOUND_LOOPS | \
		BOUND_BUFFERING | BOUND_DEPENDENCIES | BOUND_READY | BOUND_FOREIGN | \
		BOUND_FOREIGN_WRITES | BOUND_CAS_VALUE)

/* Has the search been stopped? */
static inline bool bounds_stopped(void)
{
	return M.bounds & BOUNDS_STOPPING || M.outcome == OUTCOME_REFUSE;
}

#endif
