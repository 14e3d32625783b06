/* SPDX-License-Identifier: ISC */
/* io_use.c - interceptors that read, write and wait for descriptors, see io.h. */
#include "intercept/file/io.h"
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/signal/signals.h"
#include "kernel/poll.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/vtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>

/* --- in -------------------------------------------------------------------------------------- */

static ssize_t ours_read(const void *caller, int fd, void *to, size_t n, int flags)
{
	struct iovec v = {to, n};

	if (!n && descriptor_is_socket(fd))
		return 0;
	return descriptor_readv(caller, fd, &v, 1, flags);
}

static ssize_t ours_write(const void *caller, int fd, const void *from, size_t n, int flags)
{
	struct iovec v = {(void *)(uintptr_t)from, n};

	return descriptor_writev(caller, fd, &v, 1, flags);
}

INTERCEPT ssize_t read(int fd, void *to, size_t n)
{
	NATIVELY_OR_OURS(read, fd, to, n);
	if (descriptor_is_ours(fd))
		return ours_read(__builtin_return_address(0), fd, to, n, 0);
	io_before(fd, POLLIN, "read");
	io_receive(to, n);
	return io_moved(EV_FD_READ, fd, real(read)(fd, to, n));
}

ssize_t __read_chk(int fd, void *to, size_t n, size_t room); /* read() with _FORTIFY_SOURCE */

INTERCEPT ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	NATIVELY(__read_chk, fd, to, n, room);
	if (descriptor_is_ours(fd))
		return ours_read(__builtin_return_address(0), fd, to, n < room ? n : room, 0);
	io_before(fd, POLLIN, "read");
	io_receive(to, n);
	return io_moved(EV_FD_READ, fd, real(__read_chk)(fd, to, n, room));
}

INTERCEPT ssize_t readv(int fd, const struct iovec *v, int n)
{
	NATIVELY(readv, fd, v, n);
	if (descriptor_is_ours(fd))
		return descriptor_readv(__builtin_return_address(0), fd, v, n, 0);
	io_before(fd, POLLIN, "readv");
	io_fill_vector(v, n > 0 ? (size_t)n : 0);
	return io_moved(EV_FD_READ, fd, real(readv)(fd, v, n));
}

/* --- out ------------------------------------------------------------------------------------- */

INTERCEPT ssize_t write(int fd, const void *from, size_t n)
{
	NATIVELY_OR_OURS(write, fd, from, n);
	if (descriptor_is_ours(fd))
		return ours_write(__builtin_return_address(0), fd, from, n, 0);
	io_take(from, n);
	io_before(fd, POLLOUT, "write");
	io_written(fd);
	return io_moved(EV_FD_WRITE, fd, real(write)(fd, from, n));
}

INTERCEPT ssize_t writev(int fd, const struct iovec *v, int n)
{
	NATIVELY_OR_OURS(writev, fd, v, n);
	if (descriptor_is_ours(fd))
		return descriptor_writev(__builtin_return_address(0), fd, v, n, 0);
	io_before(fd, POLLOUT, "writev");
	io_take_vector(v, n > 0 ? (size_t)n : 0);
	io_written(fd);
	return io_moved(EV_FD_WRITE, fd, real(writev)(fd, v, n));
}

#define TEXT_MOST 8192

static int write_text(int fd, const char *format, va_list list)
{
	char text[TEXT_MOST];
	int n;

	machine_drain();
	n = vsnprintf(text, sizeof text, format, list);
	if (n >= TEXT_MOST)
		machine_refuse("limit: dprintf() writes more than %d bytes", TEXT_MOST - 1);
	if (n < 0)
		return n;
	if (descriptor_is_ours(fd))
		return (int)ours_write(NULL, fd, text, (size_t)n, 0);
	io_before(fd, POLLOUT, "dprintf");
	io_written(fd);
	return (int)io_moved(EV_FD_WRITE, fd, real(write)(fd, text, (size_t)n));
}

INTERCEPT int vdprintf(int fd, const char *restrict format, va_list list)
{
	NATIVELY_OR_OURS(vdprintf, fd, format, list);
	return write_text(fd, format, list);
}

INTERCEPT int dprintf(int fd, const char *restrict format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = machine_entered() ? write_text(fd, format, list) : real(vdprintf)(fd, format, list);
	va_end(list);
	return n;
}

int __dprintf_chk(int fd, int flag, const char *restrict format, ...);
INTERCEPT int __dprintf_chk(int fd, int flag, const char *restrict format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = machine_entered() ? write_text(fd, format, list) : real(vdprintf)(fd, format, list);
	va_end(list);
	return n;
}

/* --- between two descriptors ----------------------------------------------------------------- */

static void step_of_both(int out, int in, const char *call)
{
	descriptor_refuse(out, call);
	descriptor_refuse(in, call);
	io_step_of(in);
	io_changes(out);
}

#define SENT_AT_ONCE 65536

/* From a file to a pipe or socket of ours: the file's position, or *offset, follows what is
 * written. */
static ssize_t send_file(const void *caller, int out, int in, off_t *offset, size_t n)
{
	static u8 bytes[THREADS_MAX][SENT_AT_ONCE];
	u8 *part = bytes[thread_id(thread_self())];
	ssize_t size, done = 0, sent = 0;
	off_t at;

	machine_drain();
	if (offset)
		take(caller, &at, offset, sizeof at);
	else
		at = real(lseek)(in, 0, SEEK_CUR);
	do {
		io_step_of(in);
		size = real(pread)(in, part, n - (size_t)done < SENT_AT_ONCE ? n - (size_t)done
									     : SENT_AT_ONCE,
			at + done);
		sent = size > 0 ? ours_write(NULL, out, part, (size_t)size, 0) : size;
		done += sent > 0 ? sent : 0;
	} while (sent > 0 && sent == size && (size_t)done < n);
	if (sent < 0 && !done)
		return -1;
	at += done;
	if (offset)
		give(caller, offset, &at, sizeof at);
	else
		real(lseek)(in, at, SEEK_SET);
	return done;
}

INTERCEPT ssize_t sendfile(int out, int in, off_t *offset, size_t n)
{
	NATIVELY_OR_OURS(sendfile, out, in, offset, n);
	if (descriptor_is_ours(out) && !descriptor_is_ours(in))
		return send_file(__builtin_return_address(0), out, in, offset, n);
	step_of_both(out, in, "sendfile");
	return io_moved(EV_FD_WRITE, out, real(sendfile)(out, in, offset, n));
}

INTERCEPT ssize_t copy_file_range(
	int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
	NATIVELY_OR_OURS(copy_file_range, in, from, out, to, n, flags);
	interrupt_point();
	step_of_both(out, in, "copy_file_range");
	return io_moved(EV_FD_WRITE, out, real(copy_file_range)(in, from, out, to, n, flags));
}

INTERCEPT ssize_t splice(
	int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags)
{
	NATIVELY(splice, in, from, out, to, n, flags);
	interrupt_point();
	step_of_both(out, in, "splice");
	return real(splice)(in, from, out, to, n, flags);
}

INTERCEPT ssize_t tee(int in, int out, size_t n, unsigned flags)
{
	NATIVELY(tee, in, out, n, flags);
	interrupt_point();
	step_of_both(out, in, "tee");
	return real(tee)(in, out, n, flags);
}

INTERCEPT ssize_t vmsplice(int fd, const struct iovec *v, size_t n, unsigned flags)
{
	NATIVELY(vmsplice, fd, v, n, flags);
	interrupt_point();
	descriptor_refuse(fd, "vmsplice");
	io_step();
	return real(vmsplice)(fd, v, n, flags);
}

/* --- waiting for several --------------------------------------------------------------------- */

/*
 * No descriptor is ready. ns: the caller's timeout, -1 for none. True: check once more, after a
 * virtual sleep. An endless wait is refused, unless another process could connect.
 */
static bool wait_more(i64 ns, bool channels, const char *call)
{
	if (ns > 0) {
		machine_sleep((u64)ns);
		return true;
	}
	if (ns < 0 && channels)
		machine_refuse("a thread blocks in %s() on descriptors that only the program's own "
			       "threads can serve: I/O between threads is not simulated",
			call);
	return false;
}

static i64 ns_of_ms(int timeout)
{
	return timeout < 0 ? -1 : timeout * (i64)1000000;
}

static i64 ns_taken(const void *caller, const struct timespec *t)
{
	struct timespec copy;

	if (!t)
		return -1;
	take(caller, &copy, t, sizeof copy);
	return (i64)copy.tv_sec * 1000000000 + copy.tv_nsec;
}

/* After a step, so the arguments are in memory. */
static int poll_explored(struct pollfd *p, nfds_t n, i64 ns)
{
	bool channels = false;
	int r;

	for (nfds_t i = 0; i < n; i++)
		channels |= io_is_channel(p[i].fd);
	io_fill(p, n * sizeof *p);
	r = real(poll)(p, n, 0);
	if (!r && wait_more(ns, channels, "poll"))
		return real(poll)(p, n, 0);
	return r || ns >= 0 ? r : real(poll)(p, n, -1);
}

/* The signals that are blocked while the next call waits, if it says so. */
static void take_mask(const sigset_t *mask)
{
	if (!mask)
		return;
	machine_drain();
	poll_with_mask(signals_of(mask));
}

/* Without descriptors, only signals end a wait without a limit; or a call with a mask. */
static bool only_signals(i64 ns, const sigset_t *mask)
{
	return ns < 0 || mask;
}

static bool poll_is_ours(const void *caller, const struct pollfd *p, nfds_t n, i64 ns,
	const sigset_t *mask)
{
	int fd = -1;

	if (descriptor_in_poll(caller, p, n))
		return true;
	for (nfds_t i = 0; i < n && fd < 0; i++)
		take(caller, &fd, &p[i].fd, sizeof fd);
	return fd < 0 && only_signals(ns, mask);
}

static bool select_is_ours(
	const void *caller, int n, fd_set *const set[3], i64 ns, const sigset_t *mask)
{
	if (!set[0] && !set[1] && !set[2])
		return only_signals(ns, mask);
	return descriptor_in_select(caller, n, set);
}

INTERCEPT int poll(struct pollfd *p, nfds_t n, int timeout)
{
	const void *caller = __builtin_return_address(0);

	NATIVELY(poll, p, n, timeout);
	if (poll_is_ours(caller, p, n, ns_of_ms(timeout), NULL))
		return descriptor_poll(caller, p, n, ns_of_ms(timeout));
	machine_drain();
	io_step();
	return poll_explored(p, n, ns_of_ms(timeout));
}

INTERCEPT int ppoll(
	struct pollfd *p, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	const void *caller = __builtin_return_address(0);
	i64 ns;

	NATIVELY(ppoll, p, n, timeout, mask);
	ns = ns_taken(caller, timeout);
	if (poll_is_ours(caller, p, n, ns, mask)) {
		take_mask(mask);
		return descriptor_poll(caller, p, n, ns);
	}
	machine_drain();
	io_step();
	return poll_explored(p, n, ns);
}

struct sets {
	int n;
	fd_set *set[3], saved[3];
};

static int select_now(struct sets *s)
{
	struct timeval zero = {0};

	for (int i = 0; i < 3; i++)
		if (s->set[i])
			*s->set[i] = s->saved[i];
	return real(select)(s->n, s->set[0], s->set[1], s->set[2], &zero);
}

/* After a step, too. */
static int select_explored(int n, fd_set *in, fd_set *out, fd_set *other, i64 ns)
{
	struct sets s = {.n = n, .set = {in, out, other}};
	bool channels = false;
	int r;

	for (int i = 0; i < 3; i++) {
		if (!s.set[i])
			continue;
		s.saved[i] = *s.set[i];
		for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++)
			channels |= FD_ISSET(fd, s.set[i]) && io_is_channel(fd);
	}
	r = select_now(&s);
	if (!r && wait_more(ns, channels, "select"))
		return select_now(&s);
	if (r || ns >= 0)
		return r;
	for (int i = 0; i < 3; i++)
		if (s.set[i])
			*s.set[i] = s.saved[i];
	return real(select)(n, in, out, other, NULL);
}

/* The time that was left. */
static void give_rest(const void *caller, struct timeval *to, u64 ns)
{
	struct timeval rest = {(time_t)(ns / 1000000000), (suseconds_t)(ns % 1000000000 / 1000)};

	give(caller, to, &rest, sizeof rest);
}

INTERCEPT int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
	struct timeval *restrict timeout)
{
	const void *caller = __builtin_return_address(0);
	struct timeval copy = {0};
	u64 deadline = 0;
	i64 ns;
	int found;

	NATIVELY(select, n, in, out, other, timeout);
	if (timeout)
		take(caller, &copy, timeout, sizeof copy);
	ns = timeout ? (i64)copy.tv_sec * 1000000000 + copy.tv_usec * 1000 : -1;
	if (!select_is_ours(caller, n, (fd_set *[]){in, out, other}, ns, NULL)) {
		io_step();
		return select_explored(n, in, out, other, ns);
	}
	deadline = ns > 0 ? vtime_after((u64)ns) : 0;
	found = descriptor_select(caller, n, (fd_set *[]){in, out, other}, ns);
	if (ns > 0)
		give_rest(caller, timeout, found ? vtime_until(deadline) : 0);
	return found;
}

INTERCEPT int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
	const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	const void *caller = __builtin_return_address(0);
	i64 ns;

	NATIVELY(pselect, n, in, out, other, timeout, mask);
	ns = ns_taken(caller, timeout);
	if (select_is_ours(caller, n, (fd_set *[]){in, out, other}, ns, mask)) {
		take_mask(mask);
		return descriptor_select(caller, n, (fd_set *[]){in, out, other}, ns);
	}
	io_step();
	return select_explored(n, in, out, other, ns);
}

INTERCEPT int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
	NATIVELY(epoll_wait, fd, events, max, timeout);
	return descriptor_epoll_wait(
		__builtin_return_address(0), fd, events, max, ns_of_ms(timeout));
}

INTERCEPT int epoll_pwait(
	int fd, struct epoll_event *events, int max, int timeout, const sigset_t *mask)
{
	NATIVELY(epoll_pwait, fd, events, max, timeout, mask);
	if (timeout)
		take_mask(mask);
	return descriptor_epoll_wait(
		__builtin_return_address(0), fd, events, max, ns_of_ms(timeout));
}

INTERCEPT int epoll_pwait2(int fd, struct epoll_event *events, int max,
	const struct timespec *timeout, const sigset_t *mask)
{
	const void *caller = __builtin_return_address(0);
	i64 ns;

	NATIVELY(epoll_pwait2, fd, events, max, timeout, mask);
	ns = ns_taken(caller, timeout);
	if (ns)
		take_mask(mask);
	return descriptor_epoll_wait(caller, fd, events, max, ns);
}
