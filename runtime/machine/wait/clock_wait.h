/* SPDX-License-Identifier: ISC */
/*
 * clock_wait.h - threads that wait by the clock: `while (!ready && now() < end)'.
 *
 * Idea.   Each reading of a clock is a different time, so such a loop never returns to an earlier
 *         state; a deadline a second away is a million iterations of a microsecond, each of which
 *         may be the last. But if an iteration has read the same as the one before, and changed
 *         nothing, the thread only lets time pass, as a sleep does: so its next reading sleeps,
 *         each time twice as long. Values that it could read in between, its first
 *         iterations could have read.
 * How.    An iteration is the part of a thread from one reading to the next. From its third reading
 *         on, the values that it reads and its operations on locks are summed; other changes of
 *         memory or objects are noted. So a sleep depends on the thread's own history only.
 * Not.    Loops that read nothing but clocks: no other thread can tell them from computation. With
 *         --strategy rf and states time passes by a microsecond only.
 * Cost.   None, until a thread reads a clock for the third time in an execution.
 */
#ifndef MACHINE_WAIT_CLOCK_WAIT_H
#define MACHINE_WAIT_CLOCK_WAIT_H

#include "base/base.h"

/* An execution begins. */
void clock_wait_begin(void);

/* The running thread is about to read a clock: for how many nanoseconds it sleeps before. It has
 * begun a new iteration. */
u64 clock_wait_iteration(void);

#endif
