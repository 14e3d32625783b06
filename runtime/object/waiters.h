/* SPDX-License-Identifier: ISC */
/* waiters.h - the threads that wait for a condition or a futex, as encoded in its state. */
#ifndef OBJECT_WAITERS_H
#define OBJECT_WAITERS_H

#include "object/state_table.h"
#include "object/step.h"

#define WAITERS_MAX   512 /* threads with a lower number may wait */
#define WAITERS_SMALL 13  /* a state of these alone is no number (state_table.h) */
#define WAITERS_ANY   0xffffffffu /* bits: any; FUTEX_BITSET_MATCH_ANY */

/* The result of COND_WAIT: threads wait that have used another mutex. */
#define WAITERS_OTHER_MUTEX 1

/* Such a state (waiters.c). */
#define WAITERS_FIELD  15 /* of a thread: 4 bits */
#define WAITERS_TOKENS 60 /* the position of their number */

OBJECT_STEP(cond);
OBJECT_STEP(futex);

/* Is a thread that waits for the condition ready (COND_WAKE)? Called at each change. */
static inline bool waiter_is_ready(u64 state, u32 thread)
{
	if (unlikely(state_is_number(state) || thread >= WAITERS_SMALL))
		return object_cond_step(OBJECT_COND_WAKE, 0, thread, state).ready;
	return state >> WAITERS_TOKENS >= (state >> (4 * thread) & WAITERS_FIELD);
}

/* The argument of FUTEX_JOIN (n is 0) and of FUTEX_WAKE. */
static inline u64 waiters_argument(u32 n, u32 bits)
{
	return n | (u64)~bits << 32;
}

/* Threads that were woken but have not run yet; that sleep. */
u32 waiters_woken(u64 state);
u32 waiters_asleep(u64 state);

/* The number of threads that wait, woken or not, for one of the bits. */
u32 waiters_list(u64 state, u32 bits, u16 thread[WAITERS_MAX]);

#endif
