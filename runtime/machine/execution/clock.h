/* SPDX-License-Identifier: ISC */
/*
 * clock.h - the time limit of an exploration, and requests to stop.
 *
 * Idea.   A timer sets two flags, which all long computations check: clock_is_up, the end of the
 *         phase, and clock_is_over, the end of the exploration, by time or by an interrupt. An
 *         execution checks them at its next step (M.look_at); the path of an access does not.
 * Force.  Code that computes without an event, or waits in the kernel, does not check. After some
 *         time such an execution is abandoned, as after a crash; then the explorer, clock_escape().
 *         Finally `heddle run` kills the process and reports the contents of the status page
 *         (tools/child/child.c).
 */
#ifndef MACHINE_EXECUTION_CLOCK_H
#define MACHINE_EXECUTION_CLOCK_H

#include "base/base.h"

#include <setjmp.h>

/* Begin and end an exploration: its limit starts, and terminating signals stop it. The end returns
 * such a signal, 0 = none; the caller raises it after printing the result. */
void clock_begin(void);
int clock_end(void);

/* In a process that has been forked: timers are not inherited. */
void clock_forked(void);

/* A phase begins, which ends in so many microseconds, but not after the exploration; 0: together
 * with it. */
void clock_phase(u64 microseconds);

/* The phase ends after so much CPU time if no execution has been counted by then. */
void clock_early(u64 microseconds);

/* The phase ends after so much time if hopeless() says so. */
void clock_review(u64 microseconds, bool (*hopeless)(void));

/* Every phase ends earlier by this time, which is left for the next steps. */
void clock_reserve(u64 microseconds);

extern volatile bool clock_is_up, clock_is_over;

/* Where the execution that was abandoned last computed, in the program's code; 0: none, or in the
 * runtime's. */
extern volatile u64 clock_abandoned_at;

/* clock_is_up, without the timer's delay. */
bool clock_look(void);

/* Has the exploration been over for so long that the search stops even where it cannot be resumed?
 * (A checkpoint needs a leaf.) */
bool clock_presses(void);

/* Enum status_bound: the reason of clock_is_up; 0: it is not. */
u32 clock_bound(void);

/*
 * Called in the frame of the function that explores: returns false; and returns again, with true,
 * if the explorer is abandoned, at most once.
 */
#define clock_escape() (clock_may_escape = true, _setjmp(clock_way_out))
extern jmp_buf clock_way_out;
extern volatile bool clock_may_escape;

#endif
