/* SPDX-License-Identifier: ISC */
/*
 * clock.h - the time limit of an exploration, and requests to stop.
 *
 * Idea.   A timer sets two flags, which all long computations check: clock_is_up, the phase has to
 *         end, and clock_is_over, the exploration has to end: its time is up, or it was
 *         interrupted. An execution checks at its next step (M.look_at). The path of an access has
 *         no check.
 * Force.  After some time, no cooperation is expected. An execution is abandoned, as after a crash
 *         (code that computes without an event, a library that waits in the kernel); so is the
 *         explorer, clock_escape(). Finally `heddle run` kills the process and reports the contents
 *         of the status page (tools/child.c).
 */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include "base/base.h"

#include <setjmp.h>

/* For the time of an exploration: its limit begins, terminating signals stop the exploration.
 * Returns the signal that did so, 0 = none; the caller raises it after printing the result. */
void clock_begin(void);
int clock_end(void);

/* In a process that has been forked: timers are not inherited. */
void clock_forked(void);

/* The phase that begins ends in so many microseconds, but not after the exploration; 0: with it. */
void clock_phase(u64 microseconds);

/* It ends after so much CPU time if no execution has been counted by then. */
void clock_early(u64 microseconds);

/* The phase ends after so much time if hopeless() says so. */
void clock_review(u64 microseconds, bool (*hopeless)(void));

/* Every phase ends so much earlier, to leave time for the next steps. */
void clock_reserve(u64 microseconds);

extern volatile bool clock_is_up, clock_is_over;

/* clock_is_up, without the timer's delay. */
bool clock_look(void);

/* Has the exploration been over for so long that a search stops even where it cannot be resumed? (A
 * checkpoint needs a leaf.) */
bool clock_presses(void);

/* Enum status_bound: the reason of clock_is_up; 0: it is not. */
u32 clock_bound(void);

/*
 * In the frame of the function that explores: returns false; and true a second time when the
 * explorer is abandoned, wherever it was. That happens at most once.
 */
#define clock_escape() (clock_may_escape = true, _setjmp(clock_way_out))
extern jmp_buf clock_way_out;
extern volatile bool clock_may_escape;

#endif
