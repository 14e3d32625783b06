/* SPDX-License-Identifier: ISC */
/* sys.h - system calls without libc: its functions may be interposed, by us or by the program. */
#ifndef PROCESS_SYS_H
#define PROCESS_SYS_H

#include "base/base.h"

#include <sys/syscall.h>
#include <time.h>

/* Returns what the kernel does: -errno on failure. */
static inline long sys_call4(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
#endif
}

/* Real monotonic nanoseconds. */
static inline u64 clock_ns(void)
{
	struct timespec ts;

	sys_call4(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0);
	return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* Nanoseconds of CPU time of this process: for what must not depend on how busy the machine is. */
static inline u64 cpu_ns(void)
{
	struct timespec ts;

	sys_call4(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&ts, 0, 0);
	return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* Let every signal through. */
static inline void sys_unblock_signals(void)
{
	u64 none = 0;

	sys_call4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&none, 0, sizeof none);
}

#endif
