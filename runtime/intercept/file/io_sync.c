/* SPDX-License-Identifier: ISC */
/*
 * io_sync.c - interceptors that wait until a file, a mapping or a terminal has taken what was
 * written, or until another process gives up a lock: cancellation points; see io.h.
 */
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "kernel/descriptor.h"
#include "machine/wait/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <termios.h>

/* A pipe, socket or the like, or not open. */
static int error_of_ours(int fd, int error)
{
	return (int)errno_return(descriptor_file(fd).kind ? -error : -EBADF);
}

#define SYNC(name, error, parameters, ...) \
	INTERCEPT int name parameters \
	{ \
		NATIVELY(name, __VA_ARGS__); \
		interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return error_of_ours(fd, error); \
		io_step_of(fd); \
		return real(name)(__VA_ARGS__); \
	}
SYNC(fsync, EINVAL, (int fd), fd)
SYNC(fdatasync, EINVAL, (int fd), fd)
SYNC(sync_file_range, ESPIPE, (int fd, off64_t from, off64_t n, unsigned flags), fd, from, n, flags)
SYNC(tcdrain, ENOTTY, (int fd), fd)

INTERCEPT int msync(void *start, size_t size, int flags)
{
	NATIVELY(msync, start, size, flags);
	interrupt_point();
	return real(msync)(start, size, flags);
}

/* Of the process, which its threads share: only another one holds a lock. */
#define LOCKF(name, offset_type) \
	INTERCEPT int name(int fd, int command, offset_type n) \
	{ \
		NATIVELY(lockf, fd, command, n); \
		descriptor_refuse(fd, "lockf"); \
		if (command == F_LOCK) \
			interrupt_point(); \
		return real(lockf)(fd, command, n); \
	}
LOCKF(lockf, off_t)
LOCKF(lockf64, off64_t)
