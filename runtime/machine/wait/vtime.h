/* SPDX-License-Identifier: ISC */
/*
 * vtime.h - virtual time beyond machine.h: clocks, and the deadlines of timed waits.
 *
 * Every execution begins at the same time, so that clocks are not a source of nondeterminism. Time
 * advances when a thread reads a clock, sleeps, or waits until a deadline has passed.
 */
#ifndef MACHINE_WAIT_VTIME_H
#define MACHINE_WAIT_VTIME_H

#include "machine/machine.h"

#include <time.h>

/* The clock's time at the beginning of an execution, in nanoseconds; 0 for CPU time clocks. */
u64 vtime_base(clockid_t clock);

/* The deadline `at` of the clock in virtual time; false if its tv_nsec is out of range. Reads the
 * program's memory, so the calling thread's buffer drains first. */
bool vtime_deadline(clockid_t clock, const struct timespec *at, u64 *deadline);

/* Has this time passed? If not, the calling thread may wait until then. */
bool vtime_passed(u64 deadline);

/* The time in so many nanoseconds. / The reverse. */
u64 vtime_after(u64 nanoseconds);
u64 vtime_until(u64 deadline);

/* --sleepers last is the default here, not requested: a note says so once the program sleeps or
 * waits with a deadline. */
extern bool vtime_by_default;
void vtime_set_default(bool on);

/* An execution begins. / The number of operations in it that depended on the time. */
void vtime_begin(void);
extern u32 vtime_looks;

/* The program reads a clock: as vtime_now(), but it is progress, and, in a loop that waits by the
 * clock, a sleep (clock_wait.h). */
u64 vtime_read(void);

/* A timed wait has timed out: advance to this time. */
void vtime_reach(u64 deadline);

#endif
