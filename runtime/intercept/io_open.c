/* SPDX-License-Identifier: ISC */
/* io_open.c - interceptors that open and close descriptors and streams, see io.h. */
#include "intercept/io.h"
#include "intercept/descriptor_io.h"
#include "intercept/intercept.h"
#include "machine/interrupt.h"
#include "process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>

/* --- paths ----------------------------------------------------------------------------------- */

/* The number after `prefix`; -1: path has another prefix. */
static pid_t number_after(const char *path, const char *prefix)
{
	size_t n = strlen(prefix);
	char *end;
	long v;

	if (strncmp(path, prefix, n) != 0 || path[n] < '0' || path[n] > '9')
		return -1;
	v = strtol(path + n, &end, 10);
	return *end && *end != '/' ? -1 : (pid_t)v;
}

static bool is_file_of_thread(const char *path)
{
	char task[40];
	pid_t tid;

	if (strncmp(path, "/proc/", 6) != 0)
		return false;
	if (!strncmp(path, "/proc/thread-self/", 18))
		return thread_id(thread_self()) != 0;
	snprintf(task, sizeof task, "/proc/%d/task/", getpid());
	tid = number_after(path, "/proc/self/task/");
	if (tid < 0)
		tid = number_after(path, task);
	if (tid < 0)
		tid = number_after(path, "/proc/");
	return tid > 0 && tid != getpid() && thread_of_tid(tid);
}

/* The kernel has a directory for main only. */
static void check_path(const char *path)
{
	machine_drain();
	if (path && is_file_of_thread(path))
		machine_refuse(
			"the program opens %s: the files of a single thread are not simulated",
			path);
}

/* --- files ----------------------------------------------------------------------------------- */

/* The optional argument; read even if it was not passed, as the kernel does. */
#define OPTIONAL_ARGUMENT(type, last) \
	({ \
		va_list ap; \
		type value; \
\
		va_start(ap, last); \
		value = va_arg(ap, type); \
		va_end(ap); \
		value; \
	})

#define OPEN(name, real_name) \
	INTERCEPT int name(const char *path, int flags, ...) \
	{ \
		mode_t mode = OPTIONAL_ARGUMENT(mode_t, flags); \
\
		NATIVELY_OR_OURS(real_name, path, flags, mode); \
		check_path(path); \
		io_step(); \
		return io_opened(real(real_name)(path, flags, mode)); \
	}
OPEN(open, open)
OPEN(open64, open64)

#define OPENAT(name, real_name) \
	INTERCEPT int name(int directory, const char *path, int flags, ...) \
	{ \
		mode_t mode = OPTIONAL_ARGUMENT(mode_t, flags); \
\
		NATIVELY_OR_OURS(real_name, directory, path, flags, mode); \
		check_path(path); \
		io_step(); \
		return io_opened(real(real_name)(directory, path, flags, mode)); \
	}
OPENAT(openat, openat)
OPENAT(openat64, openat64)

INTERCEPT int creat(const char *path, mode_t mode)
{
	NATIVELY_OR_OURS(creat, path, mode);
	io_step();
	return io_opened(real(creat)(path, mode));
}

INTERCEPT int mkstemp(char *template)
{
	NATIVELY(mkstemp, template);
	io_step();
	coverage_note("mkstemp() makes a different name in every execution");
	return io_opened(real(mkstemp)(template));
}

INTERCEPT int dup(int fd)
{
	NATIVELY_OR_OURS(dup, fd);
	if (descriptor_is_ours(fd))
		return descriptor_dup(fd, DESCRIPTOR_FIRST);
	return io_is_channel(fd) ? io_opened_channel(real(dup)(fd)) : io_opened(real(dup)(fd));
}

/* Onto a descriptor that was open before: undone between executions only for output. */
static int dup_onto(int from, int to, int flags)
{
	if (descriptor_is_ours(from) || descriptor_is_ours(to))
		return descriptor_dup_onto(from, to);
	if (from != to && (to == 1 || to == 2))
		output_redirect(to);
	else if (from != to && !io_is_own(to) && fcntl(to, F_GETFD) >= 0)
		machine_refuse("the program redirects descriptor %d by dup2(): that cannot be "
			       "undone between executions",
			to);
	to = flags ? real(dup3)(from, to, flags) : real(dup2)(from, to);
	if (from == to || to == 1 || to == 2)
		return to;
	return io_is_channel(from) ? io_opened_channel(to) : io_opened(to);
}

INTERCEPT int dup2(int from, int to)
{
	NATIVELY_OR_OURS(dup2, from, to);
	return dup_onto(from, to, 0);
}

INTERCEPT int dup3(int from, int to, int flags)
{
	NATIVELY_OR_OURS(dup3, from, to, flags);
	if (from == to)
		return (int)errno_return(-EINVAL);
	return dup_onto(from, to, flags);
}

int io_close(int fd)
{
	if (descriptor_is_ours(fd))
		return descriptor_end(fd);
	io_step();
	if (!io_is_own(fd))
		return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
	io_closed(fd);
	return real(close)(fd);
}

INTERCEPT int close(int fd)
{
	NATIVELY_OR_OURS(close, fd);
	interrupt_point();
	return io_close(fd);
}

/* Locks of two descriptors exclude each other even in one process. */
INTERCEPT int flock(int fd, int operation)
{
	int r;

	NATIVELY(flock, fd, operation);
	io_step();
	r = real(flock)(fd, operation | LOCK_NB);
	if (r && errno == EWOULDBLOCK && !(operation & LOCK_NB))
		machine_refuse("a thread blocks in flock(): file locks are not simulated");
	return r;
}

/* --- channels -------------------------------------------------------------------------------- */

INTERCEPT int pipe(int fd[2])
{
	NATIVELY_OR_OURS(pipe, fd);
	return descriptor_pipe(__builtin_return_address(0), fd, 0);
}

INTERCEPT int pipe2(int fd[2], int flags)
{
	NATIVELY_OR_OURS(pipe2, fd, flags);
	return descriptor_pipe(__builtin_return_address(0), fd, flags);
}

INTERCEPT int eventfd(unsigned value, int flags)
{
	NATIVELY(eventfd, value, flags);
	return descriptor_event(value, flags);
}

INTERCEPT int eventfd_read(int fd, eventfd_t *value)
{
	NATIVELY(eventfd_read, fd, value);
	if (!descriptor_is_ours(fd))
		return (int)errno_return(-EBADF);
	return descriptor_readv(__builtin_return_address(0), fd,
		       &(struct iovec){value, sizeof *value}, 1, 0) < 0
		       ? -1
		       : 0;
}

INTERCEPT int eventfd_write(int fd, eventfd_t value)
{
	NATIVELY(eventfd_write, fd, value);
	if (!descriptor_is_ours(fd))
		return (int)errno_return(-EBADF);
	return descriptor_writev(__builtin_return_address(0), fd,
		       &(struct iovec){&value, sizeof value}, 1, 0) < 0
		       ? -1
		       : 0;
}

/* --- settings -------------------------------------------------------------------------------- */

#define FCNTL(name) \
	INTERCEPT int name(int fd, int command, ...) \
	{ \
		long argument = OPTIONAL_ARGUMENT(long, command); \
\
		NATIVELY_OR_OURS(fcntl, fd, command, argument); \
		if (descriptor_is_ours(fd)) \
			return descriptor_control(fd, command, argument); \
		fd = real(fcntl)(fd, command, argument); \
		return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? io_opened(fd) : fd; \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

INTERCEPT int ioctl(int fd, unsigned long request, ...)
{
	void *argument = OPTIONAL_ARGUMENT(void *, request);

	NATIVELY_OR_OURS(ioctl, fd, request, argument);
	if (descriptor_is_ours(fd))
		return descriptor_ioctl(__builtin_return_address(0), fd, request, argument);
	return real(ioctl)(fd, request, argument);
}

INTERCEPT int epoll_create(int size)
{
	NATIVELY(epoll_create, size);
	return size > 0 ? descriptor_epoll(0) : (int)errno_return(-EINVAL);
}

INTERCEPT int epoll_create1(int flags)
{
	NATIVELY(epoll_create1, flags);
	return descriptor_epoll(flags);
}

INTERCEPT int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	NATIVELY(epoll_ctl, epoll, operation, fd, event);
	return descriptor_epoll_ctl(__builtin_return_address(0), epoll, operation, fd, event);
}

/* --- streams --------------------------------------------------------------------------------- */

#define FOPEN(name) \
	INTERCEPT FILE *name(const char *restrict path, const char *restrict mode) \
	{ \
		NATIVELY_OR_OURS(name, path, mode); \
		check_path(path); \
		io_step(); \
		return io_stream_opened(real(name)(path, mode)); \
	}
FOPEN(fopen)
FOPEN(fopen64)

INTERCEPT FILE *fdopen(int fd, const char *mode)
{
	NATIVELY(fdopen, fd, mode);
	descriptor_refuse(fd, "fdopen");
	io_step();
	return io_stream_opened(real(fdopen)(fd, mode));
}

INTERCEPT FILE *tmpfile(void)
{
	NATIVELY(tmpfile);
	return io_stream_opened(real(tmpfile)());
}

INTERCEPT int fclose(FILE *f)
{
	NATIVELY(fclose, f);
	io_step();
	return io_stream_closed(f) ? real(fclose)(f) : fflush(f);
}
