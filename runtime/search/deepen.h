/* SPDX-License-Identifier: ISC */
/*
 * deepen.h - bounded search: all executions with at most k preemptions, for k = 0, 1, 2, ...
 *
 * Idea.   Most bugs need few preemptions. A level is a plain search of schedules under SC
 *         (explore/dfs.c) in which an enabled thread is preempted at most k times. A finished level
 *         is a guarantee for a program of any size.
 * Cost.   A level is begun if it is expected to take at most half of the time that is left: as long
 *         as the one before, times the number of places where one more preemption could be, or
 *         times the last ratio if that is known and lower.
 * Delays. Where threads wait often, even the executions without preemption are too many: then the
 *         bound is on delays, deviations from a thread running until it has to wait, and the next
 *         one in turn. Without delay there is one execution.
 * Private Plain memory that happens-before orders is private (buffers/private.h): an access is no
 *         step, so nothing is preempted there, but at the next operation instead. When a race
 *         shows that some memory is not, the level begins again.
 * Source. Musuvathi, Qadeer, PLDI 2007; Emmi, Qadeer, Rakamaric, POPL 2011.
 */
#ifndef SEARCH_DEEPEN_H
#define SEARCH_DEEPEN_H

#include "base/base.h"

/* Search for at most so many microseconds. M.status->levels and ->delays have the results; findings
 * stop it. */
void deepen(u64 microseconds);

#endif
