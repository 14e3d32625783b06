/* SPDX-License-Identifier: ISC */
/*
 * leave_cycle.h - do fair schedules leave a state cycle?
 *
 * Idea.   Threads that take and return each other's resources may do so for ever in lockstep: a
 *         cycle that is fair, but that any other order of their steps leaves. A scheduler that
 *         chooses at random leaves it with probability 1; it does not leave a set of states from
 *         which no step leads out. Only such a set is a livelock.
 * How.    The execution is repeated up to the cycle and continued at random, LEAVE_WALKS times. The
 *         cycle is left if one of them ends, or if in none of them a state recurs.
 * Not.    A proof: prove/waits.h has all states. Walks that end in another cycle count as in this
 *         one.
 */
#ifndef FAILURE_LEAVE_CYCLE_H
#define FAILURE_LEAVE_CYCLE_H

#include "base/base.h"

#define LEAVE_WALKS 16
#define LEAVE_STEPS 4000 /* of a walk, after the cycle */

/* These choices lead to a state cycle, of so many steps in all. No finding is reported; M.outcome
 * is that of the last walk. */
bool cycle_is_left(const u32 *choices, u32 n, u32 steps);

#endif
