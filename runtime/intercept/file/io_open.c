/* SPDX-License-Identifier: ISC */
/* io_open.c - interceptors that open and close descriptors and streams, see io.h. */
#include "intercept/file/io.h"
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/libc/settings.h"
#include "intercept/file/layer.h"
#include "intercept/file/memstream.h"
#include "intercept/file/pipe_stream.h"
#include "intercept/file/standard.h"
#include "heap/heap.h"
#include "machine/wait/interrupt.h"
#include "process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
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

/* A path to be opened. The kernel has such a directory for main only. */
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
		interrupt_point(); \
		check_path(path); \
		return layer_open(AT_FDCWD, path, flags, mode); \
	}
OPEN(open, open)
OPEN(open64, open64)

#define OPENAT(name, real_name) \
	INTERCEPT int name(int directory, const char *path, int flags, ...) \
	{ \
		mode_t mode = OPTIONAL_ARGUMENT(mode_t, flags); \
\
		NATIVELY_OR_OURS(real_name, directory, path, flags, mode); \
		interrupt_point(); \
		check_path(path); \
		return layer_open(directory, path, flags, mode); \
	}
OPENAT(openat, openat)
OPENAT(openat64, openat64)

#define CREAT(name) \
	INTERCEPT int name(const char *path, mode_t mode) \
	{ \
		NATIVELY_OR_OURS(creat, path, mode); \
		interrupt_point(); \
		check_path(path); \
		return layer_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); \
	}
CREAT(creat)
CREAT(creat64)

/* The names depend on the thread only, not on time. */
#define MKSTEMP(name, parameters, arguments, suffix, flags) \
	INTERCEPT int name parameters \
	{ \
		if (!machine_entered()) \
			return real(name) arguments; \
		interrupt_point(); \
		machine_drain(); \
		return layer_open_new(template, suffix, flags); \
	}
MKSTEMP(mkstemp, (char *template), (template), 0, 0)
MKSTEMP(mkstemp64, (char *template), (template), 0, 0)
MKSTEMP(mkostemp, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkostemp64, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkstemps, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkstemps64, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkostemps, (char *template, int suffix, int flags), (template, suffix, flags), suffix,
	flags)
MKSTEMP(mkostemps64, (char *template, int suffix, int flags), (template, suffix, flags), suffix,
	flags)

/* In the place of a standard descriptor, by another of the kernel's. */
static int put_standard(int from, int to)
{
	if (descriptor_is_ours(to))
		standard_returns(to);
	io_step_of(from);
	if (real(dup2)(from, to) < 0)
		return -1;
	io_stands_in(to, from);
	return to;
}

static int dup_onto(int from, int to, int flags)
{
	bool ours = descriptor_is_ours(from);

	if (from != to && descriptor_is_standard(to)) {
		standard_changes(to);
		if (!ours)
			return put_standard(from, to);
		if (!descriptor_is_ours(to))
			standard_leaves(to);
	}
	if (ours || descriptor_is_ours(to))
		return descriptor_dup_onto(from, to);
	if (from != to && !io_is_own(to) && fcntl(to, F_GETFD) >= 0)
		machine_refuse("the program redirects descriptor %d by dup2(): that cannot be "
			       "undone between executions",
			to);
	io_step_of(from);
	if (from != to && io_is_own(to)) {
		io_step_to_close(to);
		io_closed(to);
	}
	to = flags ? real(dup3)(from, to, flags) : real(dup2)(from, to);
	return from == to || to < 0 ? to : io_copied(to, from);
}

INTERCEPT int dup(int fd)
{
	int to;

	NATIVELY_OR_OURS(dup, fd);
	if (standard_is_closed(&to))
		return dup_onto(fd, to, 0);
	if (descriptor_is_ours(fd))
		return descriptor_dup(fd, DESCRIPTOR_FIRST);
	io_step_of(fd);
	return io_copied(io_numbered(real(dup)(fd)), fd);
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
	if (descriptor_is_standard(fd))
		standard_closed(fd);
	if (descriptor_is_ours(fd))
		return descriptor_end(fd);
	io_step_to_close(fd);
	if (!io_is_own(fd) || descriptor_is_standard(fd))
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
	r = io_lock(fd, operation);
	if (r != -ENOTSUP)
		return (int)errno_return(r);
	io_step();
	r = real(flock)(fd, operation | LOCK_NB);
	if (r && errno == EWOULDBLOCK && !(operation & LOCK_NB))
		machine_refuse("a thread blocks in flock() on a file that was open before: not "
			       "simulated");
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

static void keep_flags(int fd, int command)
{
	if (!io_is_own(fd))
		settings_keep_flags(fd, command);
}

/* Those of an open file would block in the kernel. Others are of the process, which its threads
 * share. */
static void refuse_locks(int command)
{
	if (command == F_OFD_SETLK || command == F_OFD_SETLKW)
		machine_refuse("the program locks an open file by fcntl(F_OFD_SETLK): not "
			       "simulated (flock() is)");
}

#define FCNTL(name) \
	INTERCEPT int name(int fd, int command, ...) \
	{ \
		long argument = OPTIONAL_ARGUMENT(long, command); \
		int new; \
\
		NATIVELY_OR_OURS(fcntl, fd, command, argument); \
		if (command == F_SETLKW) \
			interrupt_point(); \
		if (descriptor_is_ours(fd)) \
			return descriptor_control(fd, command, argument); \
		refuse_locks(command); \
		keep_flags(fd, command); \
		new = real(fcntl)(fd, command, argument); \
		return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? io_copied(new, fd) \
									: new; \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

INTERCEPT int ioctl(int fd, unsigned long request, ...)
{
	void *argument = OPTIONAL_ARGUMENT(void *, request);

	NATIVELY_OR_OURS(ioctl, fd, request, argument);
	if (descriptor_is_ours(fd))
		return descriptor_ioctl(__builtin_return_address(0), fd, request, argument);
	if (request == FIONBIO)
		keep_flags(fd, F_SETFL);
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

static FILE *new_stream(int fd, const char *mode)
{
	FILE *f;

	if (fd < 0)
		return NULL;
	heap_expect_stream(true);
	f = real(fdopen)(fd, mode);
	heap_expect_stream(false);
	return io_stream_opened(f);
}

/* fopen()'s mode as open()'s flags, or -1. */
static int flags_of_mode(const char *mode)
{
	int flags = mode[0] == 'r'   ? O_RDONLY
		    : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
		    : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND
				     : -1;

	for (mode++; flags >= 0 && *mode && *mode != ','; mode++)
		switch (*mode) {
		case '+': flags = (flags & ~O_ACCMODE) | O_RDWR; break;
		case 'x': flags |= O_EXCL; break;
		case 'e': flags |= O_CLOEXEC; break;
		}
	return flags;
}

static FILE *open_stream(const char *path, const char *mode)
{
	int flags;

	check_path(path);
	flags = flags_of_mode(mode);
	if (flags < 0) {
		errno_return(-EINVAL);
		return NULL;
	}
	return new_stream(layer_open(AT_FDCWD, path, flags, 0666), mode);
}

#define FOPEN(name) \
	INTERCEPT FILE *name(const char *restrict path, const char *restrict mode) \
	{ \
		NATIVELY_OR_OURS(name, path, mode); \
		interrupt_point(); \
		return open_stream(path, mode); \
	}
FOPEN(fopen)
FOPEN(fopen64)

/* Bits of a stream of glibc's. */
#define NO_READS  0x0004
#define NO_WRITES 0x0008
#define APPENDS	  0x1000

/* The stream goes on with what is open at fd now: without its buffer, and with another mode. */
static void begin_stream_again(FILE *f, int flags)
{
	int mode = flags & O_ACCMODE;

	__fpurge(f);
	clearerr(f);
	f->_offset = -1; /* not known */
	f->_flags &= ~(NO_READS | NO_WRITES | APPENDS);
	f->_flags |= (mode == O_WRONLY ? NO_READS : 0) | (mode == O_RDONLY ? NO_WRITES : 0) |
		     (flags & O_APPEND ? APPENDS : 0);
}

#define FREOPEN(name) \
	INTERCEPT FILE *name( \
		const char *restrict path, const char *restrict mode, FILE *restrict f) \
	{ \
		int fd, flags; \
\
		NATIVELY_OR_OURS(name, path, mode, f); \
		interrupt_point(); \
		check_path(path); \
		flags = flags_of_mode(mode); \
		fd = path ? layer_open(AT_FDCWD, path, flags, 0666) : -1; \
		if (fd < 0) \
			machine_refuse("the program calls freopen() on a file that cannot be " \
				       "opened, or without one: not simulated"); \
		fflush(f); \
		dup_onto(fd, fileno(f), 0); \
		io_close(fd); \
		begin_stream_again(f, flags); \
		return f; \
	}
FREOPEN(freopen)
FREOPEN(freopen64)

INTERCEPT FILE *fdopen(int fd, const char *mode)
{
	NATIVELY(fdopen, fd, mode);
	if (descriptor_is_ours(fd))
		return pipe_stream_open(fd, mode);
	io_step_of(fd);
	return new_stream(fd, mode);
}

#define TMPFILE(name) \
	INTERCEPT FILE *name(void) \
	{ \
		NATIVELY(name); \
		return new_stream(layer_open_unnamed(O_RDWR, 0600), "w+"); \
	}
TMPFILE(tmpfile)
TMPFILE(tmpfile64)

INTERCEPT int fclose(FILE *f)
{
	int fd;

	NATIVELY(fclose, f);
	if (memstream_closed(f))
		return 0;
	if (pipe_stream_is(f))
		return pipe_stream_close(f);
	fd = fileno(f);
	io_step_of(fd);
	io_step_to_close(fd);
	return io_stream_closed(f) ? real(fclose)(f) : real(fflush)(f);
}
