/* SPDX-License-Identifier: ISC */
/* vtime.c - see vtime.h. */
#include "machine/wait/vtime.h"
#include "machine/wait/clock_wait.h"
#include "machine/core.h"
#include "machine/invariants.h"
#include "process/coverage.h"

#define SECOND	       1000000000ull
#define WALL_BASE      (1700000000 * SECOND) /* 2023-11-14 22:13:20 UTC */
#define MONOTONIC_BASE (1000 * SECOND)
#define LATEST	       (UINT64_MAX / 2) /* no sleep ends later: sums must not overflow */

u32 vtime_looks;

/* M is not restored: while no clock is read, the time is not part of the program's state
 * (state_cycle.h). */
void vtime_begin(void)
{
	M.tally.now = 0;
	vtime_looks = 0;
	clock_wait_begin();
}

/* The running thread's time may depend on the other threads. */
static void look_at_clock(u64 takes)
{
	vtime_looks++;
	tally()->now += takes;
	if (M.engine->look)
		M.engine->look(takes);
}

u64 vtime_now(void)
{
	look_at_clock(M.options->tick);
	INVARIANT(vtime_check(tally()->now));
	return tally()->now;
}

bool vtime_by_default;
static bool noted;

void vtime_set_default(bool on)
{
	vtime_by_default = on;
	noted = !on;
}

static void note_sleepers(void)
{
	if (likely(noted))
		return;
	noted = true;
	coverage_note("sleeps and timed waits ended only when nothing else could happen "
		      "(--sleepers any: at any moment)");
}

u64 vtime_after(u64 nanoseconds)
{
	u64 then;

	if (nanoseconds)
		note_sleepers();
	return __builtin_add_overflow(tally()->now, nanoseconds, &then) || then > LATEST ? LATEST
											 : then;
}

/* Time has passed for a thread that slept, and for those that run later. */
static void note_passed_time(void)
{
	if (M.engine->look && M.options->sleepers != SLEEPERS_LAST)
		M.engine->look(0);
}

void vtime_advance(u64 nanoseconds)
{
	u64 *now = &tally()->now, then = vtime_after(nanoseconds);

	if (then > *now)
		*now = then;
	INVARIANT(vtime_check(*now));
	note_passed_time();
}

u64 vtime_base(clockid_t clock)
{
	switch (clock) {
	case CLOCK_PROCESS_CPUTIME_ID:
	case CLOCK_THREAD_CPUTIME_ID:
		return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		return MONOTONIC_BASE;
	default:
		return WALL_BASE;
	}
}

bool vtime_deadline(clockid_t clock, const struct timespec *at, u64 *deadline)
{
	u64 base = vtime_base(clock);
	u64 ns;

	M.engine->drain();
	M.cur->waited = 0;
	if (at->tv_nsec < 0 || (u64)at->tv_nsec >= SECOND)
		return false;
	if (at->tv_sec < 0)
		ns = 0;
	else if (__builtin_mul_overflow((u64)at->tv_sec, SECOND, &ns) ||
		 __builtin_add_overflow(ns, (u64)at->tv_nsec, &ns))
		ns = UINT64_MAX;
	*deadline = ns > base ? ns - base : 0;
	return true;
}

bool vtime_passed(u64 deadline)
{
	note_sleepers();
	look_at_clock(0);
	M.cur->deadline = deadline;
	return tally()->now >= deadline;
}

void vtime_reach(u64 deadline)
{
	u64 *now = &tally()->now;

	if (*now < deadline && deadline < LATEST) {
		M.cur->waited = deadline - *now;
		*now = deadline;
		note_passed_time();
	}
	INVARIANT(vtime_check(*now));
}

u64 vtime_until(u64 deadline)
{
	u64 now = tally()->now;

	return deadline > now ? deadline - now : 0;
}
