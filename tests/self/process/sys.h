/* SPDX-License-Identifier: ISC */
/* sys.h - for sharing.c: the system calls of runtime/process/shared.c as a program makes them, so
 * that Heddle sees them. */
#ifndef PROCESS_SYS_H
#define PROCESS_SYS_H

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long sys_call4(long number, long a, long b, long c, long d)
{
	if (number == SYS_sched_yield)
		return sched_yield();
	if (number == SYS_getpid)
		return getpid();
	return syscall(number, a, b, c, d, NULL, 0);
}

#endif
