/* SPDX-License-Identifier: ISC */
/* sys.h - system calls without libc: its functions may be interposed, by us or by the program. */
#ifndef PROCESS_SYS_H
#define PROCESS_SYS_H

#include "arch/arch.h"

#include <sys/syscall.h>
#include <time.h>

/* Returns the kernel's result: -errno on failure. */
static inline long sys_call4(long number, long a, long b, long c, long d)
{
	return arch_syscall(number, a, b, c, d);
}

/* Real monotonic nanoseconds. */
static inline u64 clock_ns(void)
{
	struct timespec ts;

	sys_call4(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0);
	return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* Nanoseconds of CPU time of this process: independent of the load of the machine. */
static inline u64 cpu_ns(void)
{
	struct timespec ts;

	sys_call4(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&ts, 0, 0);
	return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* Unblock all signals. */
static inline void sys_unblock_signals(void)
{
	u64 none = 0;

	sys_call4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&none, 0, sizeof none);
}

#endif
