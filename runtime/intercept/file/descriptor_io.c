/* SPDX-License-Identifier: ISC */
/* descriptor_io.c - see descriptor_io.h. */
#include "intercept/file/descriptor_io.h"
#include "intercept/file/lent.h"
#include "intercept/intercept.h"
#include "intercept/file/time_limit.h"
#include "kernel/epoll.h"
#include "kernel/file.h"
#include "kernel/socket.h"
#include "object/state_table.h"
#include "process/coverage.h"
#include "sync/waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

/* The bytes to be written by a thread. */
static union {
	struct channel_message m;
	u8 bytes[sizeof(struct channel_message) + CHANNEL_MESSAGE_MAX];
} outgoing[THREADS_MAX];

static u32 file_flags(int message_flags)
{
	return (message_flags & MSG_DONTWAIT ? FILE_NONBLOCKING : 0) |
	       (message_flags & MSG_PEEK ? FILE_PEEK : 0);
}

static size_t length_of(const struct iovec *v, int n)
{
	size_t length = 0;

	for (int i = 0; i < n; i++)
		length += v[i].iov_len;
	return length;
}

/* Copy n bytes to the vectors, after their first `skip' bytes; or from there. */
static void copy_vectors(const struct transfer *t, size_t skip, u8 *bytes, size_t n, bool out)
{
	for (int i = 0; n && i < t->n; i++) {
		size_t part = t->v[i].iov_len;
		u8 *at = t->v[i].iov_base;

		if (skip >= part) {
			skip -= part;
			continue;
		}
		part = part - skip < n ? part - skip : n;
		if (out)
			take(t->caller, bytes, at + skip, part);
		else
			give(t->caller, at + skip, bytes, part);
		skip = 0;
		bytes += part;
		n -= part;
	}
}

/* With MSG_TRUNC, TCP's bytes are not stored. */
static bool discards(struct file f)
{
	return f.kind == FILE_ENDPOINT && !f.messages && socket_endpoint(f)->domain != AF_UNIX;
}

static i64 receive_part(struct transfer *t, struct file f, size_t done, size_t n)
{
	const struct channel_message *m;
	i64 size = time_limited_read(t->fd, f, n, file_flags(t->flags), &m);

	if (size < 0 || !m)
		return size;
	t->truncated = (size_t)size > n;
	if (t->flags & MSG_TRUNC && discards(f))
		return size;
	copy_vectors(t, done, (u8 *)(uintptr_t)m->byte, t->truncated ? n : (size_t)size, false);
	t->source = m->source;
	t->passed = m->passed;
	return t->truncated && !(t->flags & MSG_TRUNC) ? (i64)n : size;
}

/* The file of a transfer. Afterwards t->v is in memory: even in graphs the thread's stores reach
 * memory when it operates on the descriptor. */
static struct file transfer_file(const struct transfer *t)
{
	struct file f = t->file.kind ? t->file : descriptor_file(t->fd);

	machine_drain();
	return f;
}

ssize_t descriptor_receive(struct transfer *t)
{
	struct file f = transfer_file(t);
	size_t n = length_of(t->v, t->n);
	bool all = t->flags & MSG_WAITALL && !f.messages && !f.nonblocking;
	i64 size, done;

	if (!f.kind)
		return errno_return(-EBADF);
	if (unlikely(f.lent))
		lent_before_reading(f);
	if (t->flags & (MSG_OOB | MSG_ERRQUEUE))
		machine_refuse("the program receives urgent data, or a socket's queue of errors: "
			       "not simulated");
	done = receive_part(t, f, 0, n);
	while (all && done > 0 && (size_t)done < n) {
		size = receive_part(t, f, (size_t)done, n - (size_t)done);
		if (size <= 0)
			break;
		done += size;
	}
	return errno_return(done);
}

ssize_t descriptor_readv(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags)
{
	struct transfer t = {.caller = caller, .fd = fd, .v = v, .n = n, .flags = message_flags};
	ssize_t size = descriptor_receive(&t);

	if (size >= 0)
		descriptor_take_passed(t.passed, NULL, 0);
	return size;
}

bool descriptor_is_socket(int fd)
{
	struct file f = descriptor_file(fd);

	return f.kind == FILE_SOCKET || f.kind == FILE_ENDPOINT;
}

static i64 send_part(struct transfer *t, struct file f, size_t done, size_t n)
{
	struct channel_message *m = &outgoing[thread_id(thread_self())].m;

	*m = (struct channel_message){.passed = done ? 0 : t->passed};
	copy_vectors(t, done, m->byte, n, true);
	if (t->to && f.kind == FILE_ENDPOINT)
		return socket_send(f, t->to, m, (u32)n, file_flags(t->flags));
	return file_write(f, m, (u32)n, file_flags(t->flags));
}

/* One part, or what has room until the deadline; 0: it may wait for ever. */
static i64 send_until(struct transfer *t, struct file f, size_t done, size_t n, u64 deadline)
{
	int flags = t->flags;
	i64 size;
	int error = 0;

	if (deadline)
		t->flags |= MSG_DONTWAIT;
	do
		size = send_part(t, f, done, n);
	while (deadline && size == -EAGAIN && !(error = time_limited_room(t->fd, deadline)));
	t->flags = flags;
	return error ? error : size;
}

/* A stream: in parts. */
static i64 send_all(struct transfer *t, struct file f)
{
	size_t n = length_of(t->v, t->n), done = 0, part;
	u64 deadline = time_limit_of_send(f, file_flags(t->flags));
	i64 size;

	if (f.messages && n > CHANNEL_MESSAGE_MAX)
		machine_refuse("limit: a message between threads has more than %d bytes",
			CHANNEL_MESSAGE_MAX);
	do {
		part = n - done < CHANNEL_MESSAGE_MAX ? n - done : CHANNEL_MESSAGE_MAX;
		if (!part && f.kind == FILE_PIPE)
			break;
		size = send_until(t, f, done, part, deadline);
		if (size < 0)
			return done ? (i64)done : size;
		done += (size_t)size;
	} while (done < n && ((size_t)size == part || deadline));
	return (i64)done;
}

ssize_t descriptor_send(struct transfer *t)
{
	struct file f = transfer_file(t);
	i64 result;

	if (t->flags & MSG_OOB)
		machine_refuse("the program sends urgent data: not simulated");
	if (unlikely(f.lent))
		lent_before_writing(f);
	result = f.kind ? send_all(t, f) : -EBADF;
	if (result == -EPIPE && !(t->flags & MSG_NOSIGNAL) && !process_signal(SIGPIPE))
		machine_fail(FINDING_CRASH, NULL, 0, NULL,
			"the program writes to a pipe or socket that nothing reads: signal %d "
			"(SIGPIPE)",
			SIGPIPE);
	return errno_return(result);
}

ssize_t descriptor_writev(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags)
{
	struct transfer t = {.caller = caller, .fd = fd, .v = v, .n = n, .flags = message_flags};

	return descriptor_send(&t);
}

/* The file to open as a copy of fd, where f is open. */
static struct file copy_file(int fd, struct file f)
{
	if (!f.copied) {
		f.copied = 1;
		descriptor_change(fd, f);
	}
	file_copied(f);
	f.watched = 0;
	return f;
}

/* --- descriptors in messages ----------------------------------------------------------------- */

i64 descriptor_pass(const int *fd, u32 n, u64 *passed)
{
	u64 state[DESCRIPTORS_OPEN];
	struct file f;

	if (n > DESCRIPTORS_OPEN)
		return -EINVAL;
	for (u32 i = 0; i < n; i++) {
		if (!descriptor_is_ours(fd[i]))
			machine_refuse(
				"the program passes descriptor %d, which is the kernel's, in "
				"a message: not simulated",
				fd[i]);
		f = descriptor_file(fd[i]);
		if (!f.kind)
			return -EBADF;
		state[i] = descriptor_state(copy_file(fd[i], f));
	}
	waiting_check();
	*passed = n ? state_intern(state, n * (u32)sizeof *state) : 0;
	return 0;
}

u32 descriptor_take_passed(u64 passed, int *fd, u32 max)
{
	u32 size = 0, n = 0;
	const u64 *state = passed ? state_of(passed, &size) : NULL;

	for (u32 i = 0; i < size / sizeof *state; i++) {
		struct file f = descriptor_of_state(state[i]);

		if (n == max)
			file_closed(f);
		else
			fd[n++] = descriptor_open(f);
	}
	return n;
}

/* --- opening and closing --------------------------------------------------------------------- */

static int open_both(const void *caller, int fd[2], const struct file end[2])
{
	int both[2];

	for (int i = 0; i < 2; i++)
		both[i] = descriptor_open(end[i]);
	give(caller, fd, both, sizeof both);
	return 0;
}

int descriptor_pipe(const void *caller, int fd[2], int flags)
{
	struct file end[2];

	if (flags & ~(O_NONBLOCK | O_CLOEXEC))
		machine_refuse(
			"the program calls pipe2() with flags 0%o, which are not simulated", flags);
	file_pipe(end, flags & O_NONBLOCK);
	return open_both(caller, fd, end);
}

int descriptor_pair(const void *caller, int fd[2], int type)
{
	int what = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct file end[2];

	if (what != SOCK_STREAM && what != SOCK_DGRAM && what != SOCK_SEQPACKET)
		return (int)errno_return(-EPROTONOSUPPORT);
	file_pair(end,
		what == SOCK_STREAM  ? CHANNEL_STREAM
		: what == SOCK_DGRAM ? CHANNEL_DATAGRAMS
				     : CHANNEL_PACKETS,
		type & SOCK_NONBLOCK);
	return open_both(caller, fd, end);
}

int descriptor_event(unsigned value, int flags)
{
	if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
		return (int)errno_return(-EINVAL);
	return (int)errno_return(
		descriptor_open(file_event(value, flags & EFD_SEMAPHORE, flags & EFD_NONBLOCK)));
}

/* f is no longer open at fd. */
static void end_open_file(int fd, struct file f)
{
	epoll_forget(fd, f);
	file_closed(f);
	if (unlikely(f.lent))
		lent_after_closing();
}

int descriptor_end(int fd)
{
	struct file f = descriptor_close(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	end_open_file(fd, f);
	return 0;
}

int descriptor_dup(int fd, int from)
{
	struct file f = descriptor_file(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	return (int)errno_return(descriptor_open_from(copy_file(fd, f), from));
}

int descriptor_dup_onto(int from, int to)
{
	struct file f = descriptor_file(from), old;

	if (!descriptor_is_ours(from) ||
		!(descriptor_is_numbered(to) || descriptor_is_standard(to)))
		machine_refuse(
			"the program calls dup2(%d, %d): only one of them is a pipe or socket "
			"between threads, which is not simulated",
			from, to);
	if (!f.kind || from == to)
		return f.kind ? to : (int)errno_return(-EBADF);
	old = descriptor_open_at(copy_file(from, f), to);
	if (old.kind)
		end_open_file(to, old);
	return to;
}

int descriptor_shutdown(int fd, int how)
{
	struct file f = descriptor_file(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	if (f.kind != FILE_SOCKET && f.kind != FILE_ENDPOINT)
		return (int)errno_return(-ENOTSOCK);
	if (how < SHUT_RD || how > SHUT_RDWR)
		return (int)errno_return(-EINVAL);
	return (int)errno_return(file_shut(f, how != SHUT_WR, how != SHUT_RD));
}

/* --- settings -------------------------------------------------------------------------------- */

/* g, open at fd, may be the same open file: a copy by dup(). */
static void set_if_same(int fd, struct file f, struct file g, bool on)
{
	if (f.kind != g.kind || f.in != g.in || f.out != g.out)
		return;
	g.nonblocking = on;
	descriptor_change(fd, g);
}

static void set_copies_nonblocking(struct file f, bool on)
{
	struct file copy;

	for (int fd = 0; descriptor_is_standard(fd); fd++)
		set_if_same(fd, f, descriptor_is_ours(fd) ? descriptor_at(fd) : (struct file){0},
			on);
	for (int fd = DESCRIPTOR_FIRST; (fd = descriptor_next(fd, &copy)) >= 0; fd++)
		set_if_same(fd, f, copy, on);
}

static int set_nonblocking(int fd, struct file f, bool on)
{
	if (f.nonblocking == on)
		return 0;
	if (f.copied) {
		set_copies_nonblocking(f, on);
		return 0;
	}
	f.nonblocking = on;
	descriptor_change(fd, f);
	return 0;
}

static int pipe_size(struct file f, int command, long size)
{
	u32 room = CHANNEL_WHOLE;

	if (f.kind != FILE_PIPE)
		return (int)errno_return(-EBADF);
	if (command == F_GETPIPE_SZ)
		return (int)file_resize(f, 0);
	if (size > CHANNEL_ROOM_MAX)
		return (int)errno_return(-EPERM);
	while (room < size)
		room *= 2;
	return (int)errno_return(file_resize(f, room < CHANNEL_ROOM_MAX ? room : CHANNEL_ROOM_MAX));
}

int descriptor_control(int fd, int command, long argument)
{
	struct file f = descriptor_file(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	switch (command) {
	case F_GETFD: return FD_CLOEXEC;
	case F_SETFD: return 0;
	case F_GETFL:
		return (f.kind == FILE_ENDPOINT || (f.in && f.out) ? O_RDWR
			       : f.in				   ? O_RDONLY
								   : O_WRONLY) |
		       (f.nonblocking ? O_NONBLOCK : 0);
	case F_SETFL: return set_nonblocking(fd, f, argument & O_NONBLOCK);
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: return descriptor_dup(fd, (int)argument);
	case F_GETPIPE_SZ:
	case F_SETPIPE_SZ: return pipe_size(f, command, argument);
	}
	machine_refuse("the program calls fcntl() with command %d on a pipe or socket between "
		       "threads: not simulated",
		command);
}

int descriptor_ioctl(const void *caller, int fd, unsigned long request, void *argument)
{
	struct file f = descriptor_file(fd);
	int value;

	if (!f.kind)
		return (int)errno_return(-EBADF);
	switch (request) {
	case FIONREAD:
		if (f.kind != FILE_PIPE && f.kind != FILE_SOCKET && f.kind != FILE_ENDPOINT)
			return (int)errno_return(-ENOTTY);
		value = (int)file_unread(f);
		give(caller, argument, &value, sizeof value);
		return 0;
	case FIONBIO:
		take(caller, &value, argument, sizeof value);
		return set_nonblocking(fd, f, value);
	}
	machine_refuse("the program calls ioctl() with request 0x%lx on a pipe or socket between "
		       "threads: not simulated",
		request);
}

void descriptor_refuse(int fd, const char *call)
{
	if (descriptor_is_ours(fd))
		machine_refuse("the program calls %s() on a pipe or socket between threads: not "
			       "simulated",
			call);
}
