/* SPDX-License-Identifier: ISC */
/*
 * limits.c - settings that a process cannot undo: resource limits, locked memory.
 *
 * While exploring they would apply to the runtime and to all later executions. Limits are recorded
 * until the execution ends, but not set. Locking memory has no observable effect, and is ignored,
 * as locked pages cannot be released between executions.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "process/coverage.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* --- limits ---------------------------------------------------------------------------------- */

static struct rlimit limits[RLIM_NLIMITS];
static PER_EXECUTION u32 have_set; /* bit i: limits[i] */

static int get_limit(unsigned which, struct rlimit *to)
{
	if (which >= RLIM_NLIMITS || !(have_set >> which & 1))
		return real(getrlimit)(which, to);
	*to = limits[which];
	return 0;
}

static int set_limit(unsigned which, const struct rlimit *to)
{
	if (which >= RLIM_NLIMITS || to->rlim_cur > to->rlim_max)
		return (int)errno_return(-EINVAL);
	limits[which] = *to;
	have_set |= 1u << which;
	coverage_note("limits set by the program (setrlimit) are not enforced while exploring");
	return 0;
}

INTERCEPT int getrlimit(__rlimit_resource_t which, struct rlimit *to)
{
	NATIVELY(getrlimit, which, to);
	machine_drain();
	io_fill(to, sizeof *to);
	return get_limit(which, to);
}

INTERCEPT int getrlimit64(__rlimit_resource_t which, struct rlimit64 *to)
{
	return getrlimit(which, (struct rlimit *)to); /* the same on 64-bit machines */
}

INTERCEPT int setrlimit(__rlimit_resource_t which, const struct rlimit *to)
{
	NATIVELY(setrlimit, which, to);
	machine_drain();
	return set_limit(which, to);
}

INTERCEPT int setrlimit64(__rlimit_resource_t which, const struct rlimit64 *to)
{
	return setrlimit(which, (const struct rlimit *)to);
}

INTERCEPT int prlimit(
	pid_t pid, enum __rlimit_resource which, const struct rlimit *to, struct rlimit *old)
{
	NATIVELY(prlimit, pid, which, to, old);
	machine_drain();
	io_fill(old, sizeof *old);
	if (!thread_of_tid(pid))
		return real(prlimit)(pid, which, to, old);
	if (old && get_limit(which, old) != 0)
		return -1;
	return to ? set_limit(which, to) : 0;
}

INTERCEPT int prlimit64(
	pid_t pid, enum __rlimit_resource which, const struct rlimit64 *to, struct rlimit64 *old)
{
	return prlimit(pid, which, (const struct rlimit *)to, (struct rlimit *)old);
}

/* --- locked memory --------------------------------------------------------------------------- */

INTERCEPT int mlock(const void *start, size_t size)
{
	NATIVELY(mlock, start, size);
	return 0;
}

INTERCEPT int mlock2(const void *start, size_t size, unsigned flags)
{
	NATIVELY(mlock2, start, size, flags);
	return 0;
}

INTERCEPT int munlock(const void *start, size_t size)
{
	NATIVELY(munlock, start, size);
	return 0;
}

INTERCEPT int mlockall(int flags)
{
	NATIVELY(mlockall, flags);
	return 0;
}

INTERCEPT int munlockall(void)
{
	NATIVELY(munlockall);
	return 0;
}
