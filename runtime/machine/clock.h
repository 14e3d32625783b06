/* SPDX-License-Identifier: ISC */
/*
 * clock.h - the time that an exploration has, and whether it is asked to stop.
 *
 * Idea.   A timer sets two flags, and whatever takes long looks at them: clock_is_up, the phase is
 *         to end, and clock_is_over, the exploration is: its time has passed, or it is interrupted.
 *         An execution looks at its next step (M.look_at). Nothing is on the path of an access.
 * Force.  A little later no code is asked any more. An execution is left where it is, as after a
 *         crash (code that computes without an event, a library that waits in the kernel); so is
 *         the explorer, clock_escape(). Last of all `heddle run` kills the process and reports what
 *         the status page has (tools/child.c).
 */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include "base/base.h"

#include <setjmp.h>

/* For the time of an exploration: its limit begins, signals that ask the process to end stop the
 * exploration. Returns the signal that did so, 0 = none; the caller raises it once the result has
 * been shown. */
void clock_begin(void);
int clock_end(void);

/* In a process that has been forked: timers are not inherited. */
void clock_forked(void);

/* The phase that begins ends in so many microseconds, but not after the exploration; 0: with it. */
void clock_phase(u64 microseconds);

/* It ends after so much CPU time if no execution has been counted by then. */
void clock_early(u64 microseconds);

/* Every phase ends so much earlier: something follows that needs the time. */
void clock_reserve(u64 microseconds);

extern volatile bool clock_is_up, clock_is_over;

/* clock_is_up, without the timer's delay. */
bool clock_look(void);

/* Over, and for so long that a search stops even where it cannot go on from (a checkpoint is of a
 * leaf). */
bool clock_presses(void);

/* Enum status_bound: why clock_is_up; 0: it is not. */
u32 clock_bound(void);

/*
 * In the frame of the function that explores: false; and true a second time once the explorer has
 * been left, wherever it was. That happens once.
 */
#define clock_escape() (clock_may_escape = true, _setjmp(clock_way_out))
extern jmp_buf clock_way_out;
extern volatile bool clock_may_escape;

#endif
