/* SPDX-License-Identifier: ISC */
/*
 * deepen.h - bounded search: all executions with at most k preemptions, for k = 0, 1, 2, ...
 *
 * Idea.   Most bugs need few preemptions. A level is a plain search of schedules under SC
 *         (explore/dfs.c) in which an enabled thread is preempted at most k times. A finished level
 *         is a guarantee, even for a large program.
 * Cost.   A level is begun if it is expected to take at most half of the remaining time: the
 *         previous level's time, multiplied by the number of places for one more preemption, or by
 *         the last ratio if that is known and lower.
 * Delays. Where threads wait often, even the executions without preemption are too many. Then the
 *         bound is on delays: deviations from the schedule in which a thread runs until it has to
 *         wait, then the next one in turn. Without delays there is one execution.
 * Private Plain memory that happens-before orders is private (buffers/private.h): an access is not
 *         a step, so a thread is preempted at the next operation instead. When a race shows that
 *         some memory is not private, the level begins again.
 * Known.  Many orders of waits lead to the same trace (explore/trace_cache.h) or to the same state
 *         (prove/known.h): of those only the first goes on.
 * Source. Musuvathi, Qadeer, PLDI 2007; Emmi, Qadeer, Rakamaric, POPL 2011.
 */
#ifndef SEARCH_SCHEDULE_DEEPEN_H
#define SEARCH_SCHEDULE_DEEPEN_H

#include "base/base.h"

/* Search for at most so many microseconds. M.status->levels and ->delays have the results; findings
 * stop it. */
void deepen(u64 microseconds);

/* The level without delays alone: about one execution. M.status->delays has the result. */
void deepen_least(u64 microseconds);

#endif
