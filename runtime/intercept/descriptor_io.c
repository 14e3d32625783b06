/* SPDX-License-Identifier: ISC */
/* descriptor_io.c - see descriptor_io.h. */
#include "intercept/descriptor_io.h"
#include "intercept/intercept.h"
#include "kernel/epoll.h"
#include "kernel/file.h"
#include "kernel/poll.h"
#include "process/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

/* Bytes that a thread is about to write. */
static u8 outgoing[THREADS_MAX][CHANNEL_MESSAGE_MAX];

/* The opposite of give(): read the program's memory as the code at `caller` does. */
static void take(const void *caller, void *to, const void *from, size_t n)
{
	const struct module *m = module_find((u64)(uintptr_t)caller);

	if (m && m->instrumented) {
		machine_read(to, from, n);
		return;
	}
	machine_drain();
	memcpy(to, from, n);
}

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

ssize_t descriptor_readv(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags)
{
	struct file f = (machine_drain(), descriptor_file(fd)); /* v is in memory */
	const void *bytes = NULL;
	i64 size = f.kind ? file_read(f, length_of(v, n), file_flags(message_flags), &bytes)
			  : -EBADF;
	size_t left = size > 0 ? (size_t)size : 0;

	for (int i = 0; left; i++) {
		size_t part = left < v[i].iov_len ? left : v[i].iov_len;

		give(caller, v[i].iov_base, bytes, part);
		bytes = (const char *)bytes + part;
		left -= part;
	}
	return errno_return(size);
}

static i64 write_all(
	const void *caller, struct file f, const struct iovec *v, int n, int message_flags)
{
	u8 *bytes = outgoing[thread_id(thread_self())];
	size_t size = length_of(v, n), at = 0;

	if (size > CHANNEL_MESSAGE_MAX)
		machine_refuse("limit: more than %d bytes are written at once to a pipe or a "
			       "socket between threads",
			CHANNEL_MESSAGE_MAX);
	for (int i = 0; i < n; i++) {
		take(caller, bytes + at, v[i].iov_base, v[i].iov_len);
		at += v[i].iov_len;
	}
	return file_write(f, bytes, size, file_flags(message_flags));
}

ssize_t descriptor_writev(
	const void *caller, int fd, const struct iovec *v, int n, int message_flags)
{
	struct file f = (machine_drain(), descriptor_file(fd));
	i64 result = f.kind ? write_all(caller, f, v, n, message_flags) : -EBADF;

	if (result == -EPIPE && !(message_flags & MSG_NOSIGNAL) && !process_signal(SIGPIPE))
		machine_fail(FINDING_CRASH, NULL, 0, NULL,
			"the program writes to a pipe or socket that nothing reads: signal %d "
			"(SIGPIPE)",
			SIGPIPE);
	return errno_return(result);
}

/* --- opening and closing --------------------------------------------------------------------- */

static int open_both(const void *caller, int fd[2], const struct file end[2])
{
	int both[2] = {descriptor_open(end[0]), -EMFILE};

	if (both[0] >= 0)
		both[1] = descriptor_open(end[1]);
	if (both[1] < 0)
		return (int)errno_return(-EMFILE);
	give(caller, fd, both, sizeof both);
	return 0;
}

int descriptor_pipe(const void *caller, int fd[2], int flags)
{
	struct file end[2];

	if (flags & ~(O_NONBLOCK | O_CLOEXEC))
		machine_refuse("the program calls pipe2() with flags 0%o, which are not simulated",
			flags);
	file_pipe(end, flags & O_NONBLOCK);
	return open_both(caller, fd, end);
}

int descriptor_pair(const void *caller, int fd[2], int type)
{
	int what = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct file end[2];

	if (what != SOCK_STREAM && what != SOCK_DGRAM && what != SOCK_SEQPACKET)
		return (int)errno_return(-EPROTONOSUPPORT);
	file_pair(end, what != SOCK_STREAM, type & SOCK_NONBLOCK);
	return open_both(caller, fd, end);
}

int descriptor_event(unsigned value, int flags)
{
	if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
		return (int)errno_return(-EINVAL);
	return (int)errno_return(descriptor_open(
		file_event(value, flags & EFD_SEMAPHORE, flags & EFD_NONBLOCK)));
}

int descriptor_end(int fd)
{
	struct file f = descriptor_close(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	epoll_forget(fd, f);
	file_closed(f);
	return 0;
}

int descriptor_dup(int fd, int from)
{
	struct file f = descriptor_file(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	f.copied = 1;
	descriptor_change(fd, f);
	file_copied(f);
	return (int)errno_return(descriptor_open_from(f, from));
}

int descriptor_dup_onto(int from, int to)
{
	if (from == to)
		return descriptor_file(from).kind ? to : (int)errno_return(-EBADF);
	machine_refuse("the program calls dup2(%d, %d): pipes and sockets between threads are "
		       "copied by dup() only",
		from, to);
}

int descriptor_shutdown(int fd, int how)
{
	struct file f = descriptor_file(fd);

	if (!f.kind)
		return (int)errno_return(-EBADF);
	if (f.kind != FILE_SOCKET)
		return (int)errno_return(-ENOTSOCK);
	if (how < SHUT_RD || how > SHUT_RDWR)
		return (int)errno_return(-EINVAL);
	descriptor_change(fd, file_shut(f, how != SHUT_WR, how != SHUT_RD));
	return 0;
}

/* --- settings -------------------------------------------------------------------------------- */

static int set_nonblocking(int fd, struct file f, bool on)
{
	if (f.nonblocking == on)
		return 0;
	if (f.copied)
		machine_refuse("O_NONBLOCK is set for a descriptor that has been copied by dup(): "
			       "not simulated");
	f.nonblocking = on;
	descriptor_change(fd, f);
	return 0;
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
		return (f.in && f.out ? O_RDWR : f.in ? O_RDONLY : O_WRONLY) |
		       (f.nonblocking ? O_NONBLOCK : 0);
	case F_SETFL: return set_nonblocking(fd, f, argument & O_NONBLOCK);
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: return descriptor_dup(fd, (int)argument);
	case F_GETPIPE_SZ: return CHANNEL_ROOM;
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

/* --- waiting for several --------------------------------------------------------------------- */

#define POLLED_MAX 128

struct request {
	struct pollfd *p;
	nfds_t n;
};

bool descriptor_in_poll(const struct pollfd *p, nfds_t n)
{
	for (nfds_t i = 0; i < n; i++)
		if (descriptor_is_ours(p[i].fd))
			return true;
	return false;
}

/* The other descriptors, now. */
static u32 look_outside(void *arg)
{
	const struct request *r = arg;
	struct pollfd other[POLLED_MAX];
	u32 found = 0;

	for (nfds_t i = 0; i < r->n; i++) {
		other[i] = r->p[i];
		other[i].fd = descriptor_is_ours(r->p[i].fd) ? -1 : r->p[i].fd;
	}
	real(poll)(other, r->n, 0);
	for (nfds_t i = 0; i < r->n; i++) {
		r->p[i].revents = other[i].revents;
		found += other[i].revents != 0;
	}
	return found;
}

/* p is a copy of the program's. */
static int poll_copy(struct pollfd *p, nfds_t n, i64 ns)
{
	struct polled polled[POLLED_MAX];
	struct request r = {p, n};
	bool others = false;
	u32 nours = 0, found, used = 0;

	for (nfds_t i = 0; i < n; i++) {
		p[i].revents = 0;
		if (descriptor_is_ours(p[i].fd))
			polled[nours++] = (struct polled){.fd = p[i].fd, .events = p[i].events};
		else
			others |= p[i].fd >= 0;
	}
	found = poll_wait(polled, nours, ns, others ? look_outside : NULL, &r);
	for (nfds_t i = 0; i < n; i++)
		if (descriptor_is_ours(p[i].fd))
			p[i].revents = (short)polled[used++].found;
	return (int)found;
}

static _Noreturn void refuse_many(void)
{
	machine_refuse("limit: more than %d descriptors are polled at once", POLLED_MAX);
}

int descriptor_poll(const void *caller, struct pollfd *p, nfds_t n, i64 ns)
{
	struct pollfd copy[POLLED_MAX];
	int found;

	if (n > POLLED_MAX)
		refuse_many();
	take(caller, copy, p, n * sizeof *p);
	found = poll_copy(copy, n, ns);
	for (nfds_t i = 0; i < n; i++)
		give(caller, &p[i].revents, &copy[i].revents, sizeof p[i].revents);
	return found;
}

static const struct {
	short events, found; /* any of `found' is reported */
} sets[3] = {
	{POLLIN, POLLIN | POLLHUP | POLLERR},
	{POLLOUT, POLLOUT | POLLERR},
	{POLLPRI, POLLPRI},
};

static size_t set_size(int n)
{
	return (size_t)(n + 63) / 64 * 8;
}

bool descriptor_in_select(int n, fd_set *const set[3])
{
	for (int fd = DESCRIPTOR_FIRST; fd < n && descriptor_is_ours(fd); fd++)
		for (int i = 0; i < 3; i++)
			if (set[i] && FD_ISSET(fd, set[i]))
				return true;
	return false;
}

/* The descriptors of the sets, as poll() has them: their number. */
static nfds_t polled_by(int n, const fd_set copy[3], struct pollfd p[POLLED_MAX])
{
	nfds_t used = 0;

	for (int fd = 0; fd < n; fd++) {
		short events = 0;

		for (int i = 0; i < 3; i++)
			events |= FD_ISSET(fd, &copy[i]) ? sets[i].events : 0;
		if (!events)
			continue;
		if (used == POLLED_MAX)
			refuse_many();
		p[used++] = (struct pollfd){.fd = fd, .events = events};
	}
	return used;
}

int descriptor_select(const void *caller, int n, fd_set *const set[3], i64 ns)
{
	fd_set copy[3] = {0};
	struct pollfd p[POLLED_MAX];
	nfds_t used;
	int found = 0;

	if (n < 0 || n > FD_SETSIZE)
		return (int)errno_return(-EINVAL);
	for (int i = 0; i < 3; i++)
		if (set[i])
			take(caller, &copy[i], set[i], set_size(n));
	used = polled_by(n, copy, p);
	poll_copy(p, used, ns);
	for (nfds_t j = 0; j < used; j++) {
		if (p[j].revents & POLLNVAL)
			return (int)errno_return(-EBADF);
		for (int i = 0; i < 3; i++) {
			bool on = FD_ISSET(p[j].fd, &copy[i]) && p[j].revents & sets[i].found;

			found += on;
			if (!on)
				FD_CLR(p[j].fd, &copy[i]);
		}
	}
	for (int i = 0; i < 3; i++)
		if (set[i])
			give(caller, set[i], &copy[i], set_size(n));
	return found;
}

/* --- epoll ----------------------------------------------------------------------------------- */

int descriptor_epoll(int flags)
{
	if (flags & ~EPOLL_CLOEXEC)
		return (int)errno_return(-EINVAL);
	return (int)errno_return(descriptor_open(epoll_new()));
}

int descriptor_epoll_ctl(
	const void *caller, int epoll, int operation, int fd, const struct epoll_event *event)
{
	struct file f = descriptor_file(epoll);
	struct epoll_event copy = {0};

	if (f.kind != FILE_EPOLL)
		return (int)errno_return(f.kind ? -EINVAL : -EBADF);
	if (!descriptor_is_ours(fd))
		machine_refuse("the program adds descriptor %d, which is the kernel's, to an epoll "
			       "instance: not simulated",
			fd);
	if (operation != EPOLL_CTL_DEL)
		take(caller, &copy, event, sizeof copy);
	return (int)errno_return(epoll_control(f, epoll, operation, fd, &copy));
}

int descriptor_epoll_wait(
	const void *caller, int epoll, struct epoll_event *events, int max, i64 ns)
{
	struct file f = descriptor_file(epoll);
	struct epoll_event found[DESCRIPTORS_OPEN];
	int n;

	if (f.kind != FILE_EPOLL)
		return (int)errno_return(f.kind ? -EINVAL : -EBADF);
	n = epoll_events(f, found, max < DESCRIPTORS_OPEN ? max : DESCRIPTORS_OPEN, ns);
	if (n > 0)
		give(caller, events, found, (size_t)n * sizeof *found);
	return (int)errno_return(n);
}
