/* SPDX-License-Identifier: ISC */
/*
 * hang.h - threads that compute without an event: a time limit, and a check for endless loops.
 *
 * Idea.   CPU time is independent of the machine's load. After HANG_PROOF of it, check whether the
 *         thread is in an endless loop (cycle/endless.h); that is a finding, but only if proved: a
 *         computation may be long. After --hang, or HANG_TIMES as much as the longest computation
 *         that ended, the execution is abandoned, and the search is not complete.
 */
#ifndef MACHINE_EXECUTION_HANG_H
#define MACHINE_EXECUTION_HANG_H

#include "base/base.h"

#define HANG_TICK  50000000   /* nanoseconds of CPU time between two ticks */
#define HANG_PROOF 200000000 /* the same; repeated after HANG_AGAIN times as much */
#define HANG_AGAIN 4
#define HANG_TIMES 10

/* An execution begins: the time counts from here. */
void hang_execution_begins(void);

/* HANG_TICK has passed; called by a signal handler. */
void hang_tick(void *ucontext);

#endif
