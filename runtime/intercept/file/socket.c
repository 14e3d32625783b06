/* SPDX-License-Identifier: ISC */
/*
 * socket.c - interceptors of sockets: AF_UNIX, and TCP and UDP over the loopback interface, are
 * simulated (kernel/socket.h); those that reach other machines are refused. Other families are the
 * kernel's, and no thread of the program may wait for them.
 */
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/socket.h"
#include "intercept/file/time_limit.h"
#include "kernel/file.h"
#include "kernel/socket.h"
#include "machine/wait/interrupt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/un.h>

/* --- addresses ------------------------------------------------------------------------------- */

static socklen_t length_least(int domain)
{
	return domain == AF_INET    ? sizeof(struct sockaddr_in)
	       : domain == AF_INET6 ? sizeof(struct sockaddr_in6)
				    : sizeof(sa_family_t);
}

/* A path: cut at its 0, so that equal paths have one form. */
static void trim_path(struct address *a)
{
	size_t path = offsetof(struct sockaddr_un, sun_path);

	if (a->length > path && a->bytes[path])
		a->length = (u32)(path + strnlen((char *)a->bytes + path, a->length - path) + 1);
	memset(a->bytes + a->length, 0, sizeof a->bytes - a->length);
}

/* The program's address; call: its name, for a message. */
static int take_address(const void *caller, const struct sockaddr *from, socklen_t length,
	const char *call, struct address *a)
{
	int domain;

	*a = (struct address){.length = length};
	if (length < sizeof(sa_family_t) || length >= ADDRESS_BYTES)
		return -EINVAL;
	take(caller, a->bytes, from, length);
	domain = address_domain(a);
	if (domain == AF_UNSPEC)
		return 0;
	if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
		return -EAFNOSUPPORT;
	if (length < length_least(domain))
		return -EINVAL;
	if (domain == AF_UNIX)
		trim_path(a);
	else
		a->length = length_least(domain);
	if (domain == AF_INET)
		memset(a->bytes + 8, 0, 8);
	if (domain == AF_INET6)
		memset(a->bytes + 4, 0, 4);
	if (!address_is_local(a)) {
		char words[INET6_ADDRSTRLEN] = "";

		inet_ntop(domain, a->bytes + (domain == AF_INET ? 4 : 8), words, sizeof words);
		machine_refuse(
			"the program calls %s() for %s, port %u: only sockets of this process are "
			"simulated, no network",
			call, words, address_port(a));
	}
	return 0;
}

/* number: of an address; 0: of an unnamed one. */
static void give_address(
	const void *caller, u64 number, int domain, struct sockaddr *to, socklen_t *length)
{
	const struct address *a = number ? address_of(number) : NULL;
	struct sockaddr_storage unnamed = {.ss_family = (sa_family_t)domain};
	socklen_t room, size = a ? a->length : length_least(domain);

	if (!to || !length)
		return;
	take(caller, &room, length, sizeof room);
	give(caller, to, a ? (const void *)a->bytes : (const void *)&unnamed,
		room < size ? room : size);
	give(caller, length, &size, sizeof size);
}

/* Is there a file other than a socket of the program? */
static bool is_other_file(const struct address *a)
{
	const char *path = (const char *)a->bytes + offsetof(struct sockaddr_un, sun_path);

	return address_domain(a) == AF_UNIX && *path && access(path, F_OK) == 0;
}

/* --- opening --------------------------------------------------------------------------------- */

static bool is_simulated(int domain, int type)
{
	type &= ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	switch (domain) {
	case AF_UNIX: return type == SOCK_STREAM || type == SOCK_DGRAM || type == SOCK_SEQPACKET;
	case AF_INET:
	case AF_INET6: return type == SOCK_STREAM || type == SOCK_DGRAM;
	}
	return false;
}

INTERCEPT int socket(int domain, int type, int protocol)
{
	NATIVELY(socket, domain, type, protocol);
	if (!is_simulated(domain, type))
		return io_opened_channel(real(socket)(domain, type, protocol));
	return (int)errno_return(descriptor_open(
		socket_new(domain, type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC), type & SOCK_NONBLOCK)));
}

INTERCEPT int socketpair(int domain, int type, int protocol, int fd[2])
{
	NATIVELY(socketpair, domain, type, protocol, fd);
	if (domain != AF_UNIX)
		return (int)errno_return(-EOPNOTSUPP);
	return descriptor_pair(__builtin_return_address(0), fd, type);
}

struct file socket_at(int fd)
{
	struct file f = descriptor_file(fd);

	if (f.kind == FILE_ENDPOINT || f.kind == FILE_SOCKET)
		return f;
	errno_return(f.kind ? -ENOTSOCK : -EBADF);
	return (struct file){0};
}

/* The same for a socket that never had a peer. */
static struct file endpoint_file(int fd)
{
	struct file f = socket_at(fd);

	if (f.kind == FILE_SOCKET) {
		errno_return(-EISCONN);
		f.kind = FILE_NONE;
	}
	return f;
}

static void refuse_kernels(int fd, const char *call)
{
	if (!descriptor_is_ours(fd))
		machine_refuse(
			"the program calls %s() for descriptor %d, which is the kernel's: not "
			"simulated",
			call, fd);
}

INTERCEPT int bind(int fd, const struct sockaddr *at, socklen_t length)
{
	const void *caller = __builtin_return_address(0);
	struct address a;
	struct file f;
	int error;

	NATIVELY(bind, fd, at, length);
	if (!descriptor_is_ours(fd))
		return real(bind)(fd, at, length);
	f = endpoint_file(fd);
	if (!f.kind)
		return -1;
	error = take_address(caller, at, length, "bind", &a);
	return (int)errno_return(error ? error : socket_bind(f, &a, is_other_file(&a)));
}

INTERCEPT int listen(int fd, int backlog)
{
	struct file f;

	NATIVELY(listen, fd, backlog);
	refuse_kernels(fd, "listen");
	f = endpoint_file(fd);
	return f.kind ? (int)errno_return(socket_listen(f, backlog)) : -1;
}

INTERCEPT int connect(int fd, const struct sockaddr *to, socklen_t length)
{
	const void *caller = __builtin_return_address(0);
	struct address a;
	struct file f;
	int error;

	NATIVELY(connect, fd, to, length);
	refuse_kernels(fd, "connect");
	interrupt_point();
	f = endpoint_file(fd);
	if (!f.kind)
		return -1;
	error = take_address(caller, to, length, "connect", &a);
	return (int)errno_return(error ? error : socket_connect(f, &a, time_limit_of_send(f, 0)));
}

static int accept_from(
	const void *caller, int fd, struct sockaddr *from, socklen_t *length, int flags)
{
	struct file f = endpoint_file(fd), accepted;
	u64 peer;
	int result;

	if (!f.kind)
		return -1;
	result = time_limited_accept(fd, f, flags & SOCK_NONBLOCK, &accepted, &peer);
	if (result)
		return (int)errno_return(result);
	give_address(caller, peer, socket_endpoint(f)->domain, from, length);
	return (int)errno_return(descriptor_open(accepted));
}

INTERCEPT int accept(int fd, struct sockaddr *from, socklen_t *length)
{
	NATIVELY(accept, fd, from, length);
	refuse_kernels(fd, "accept");
	return accept_from(__builtin_return_address(0), fd, from, length, 0);
}

INTERCEPT int accept4(int fd, struct sockaddr *from, socklen_t *length, int flags)
{
	NATIVELY(accept4, fd, from, length, flags);
	refuse_kernels(fd, "accept4");
	return accept_from(__builtin_return_address(0), fd, from, length, flags);
}

INTERCEPT int shutdown(int fd, int how)
{
	NATIVELY(shutdown, fd, how);
	if (descriptor_is_ours(fd))
		return descriptor_shutdown(fd, how);
	io_step();
	return real(shutdown)(fd, how);
}

/* --- names ----------------------------------------------------------------------------------- */

INTERCEPT int getsockname(int fd, struct sockaddr *to, socklen_t *length)
{
	const struct endpoint *e;
	struct file f;

	NATIVELY(getsockname, fd, to, length);
	if (!descriptor_is_ours(fd))
		return real(getsockname)(fd, to, length);
	f = socket_at(fd);
	if (!f.kind)
		return -1;
	e = f.kind == FILE_ENDPOINT ? socket_endpoint(f) : NULL;
	give_address(
		__builtin_return_address(0), e ? e->name : 0, e ? e->domain : AF_UNIX, to, length);
	return 0;
}

INTERCEPT int getpeername(int fd, struct sockaddr *to, socklen_t *length)
{
	const struct endpoint *e;
	struct file f;

	NATIVELY(getpeername, fd, to, length);
	if (!descriptor_is_ours(fd))
		return real(getpeername)(fd, to, length);
	f = socket_at(fd);
	if (!f.kind)
		return -1;
	if (f.kind == FILE_ENDPOINT && !socket_is_connected(f))
		return (int)errno_return(-ENOTCONN);
	e = f.kind == FILE_ENDPOINT ? socket_endpoint(f) : NULL;
	give_address(
		__builtin_return_address(0), e ? e->peer : 0, e ? e->domain : AF_UNIX, to, length);
	return 0;
}

/* --- in -------------------------------------------------------------------------------------- */

/* As io_before(); with MSG_DONTWAIT the call does not block, but is still a step. */
static void before_message(int fd, short events, int flags, const char *call)
{
	if (flags & MSG_DONTWAIT)
		io_step();
	else
		io_before(fd, events, call);
}

static ssize_t receive_from(struct transfer *t, struct sockaddr *from, socklen_t *length)
{
	ssize_t size = descriptor_receive(t);
	socklen_t none = 0;

	if (size < 0)
		return size;
	descriptor_take_passed(t->passed, NULL, 0);
	if (t->source)
		give_address(t->caller, t->source, AF_UNSPEC, from, length);
	else if (from && length)
		give(t->caller, length, &none, sizeof none);
	return size;
}

INTERCEPT ssize_t recvfrom(
	int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length)
{
	NATIVELY(recvfrom, fd, to, n, flags, from, length);
	if (descriptor_is_ours(fd))
		return receive_from(&(struct transfer){.caller = __builtin_return_address(0),
					    .fd = fd,
					    .v = &(struct iovec){to, n},
					    .n = 1,
					    .flags = flags},
			from, length);
	before_message(fd, POLLIN, flags, "recvfrom");
	io_fill(to, n);
	if (from && length)
		io_fill(from, *length);
	return real(recvfrom)(fd, to, n, flags, from, length);
}

INTERCEPT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	NATIVELY(recv, fd, to, n, flags);
	if (descriptor_is_ours(fd))
		return descriptor_readv(
			__builtin_return_address(0), fd, &(struct iovec){to, n}, 1, flags);
	before_message(fd, POLLIN, flags, "recv");
	io_fill(to, n);
	return real(recv)(fd, to, n, flags);
}

/* Afterwards *m is in memory. */
static struct transfer transfer_of(
	const void *caller, int fd, const struct msghdr *m, int flags)
{
	struct transfer t = {
		.caller = caller, .fd = fd, .file = descriptor_file(fd), .flags = flags};

	machine_drain();
	t.v = m->msg_iov;
	t.n = (int)m->msg_iovlen;
	return t;
}

/* As far as there is room; the rest is closed. */
static void give_control(struct transfer *t, struct msghdr *m, int *flags)
{
	union {
		struct cmsghdr head;
		u8 bytes[CMSG_SPACE(sizeof(int) * DESCRIPTORS_OPEN)];
	} control = {0};
	size_t room = m->msg_controllen, size = 0;
	u32 max = room > CMSG_LEN(0) ? (u32)((room - CMSG_LEN(0)) / sizeof(int)) : 0;
	u32 n;

	if (t->passed) {
		n = descriptor_take_passed(t->passed, (int *)CMSG_DATA(&control.head),
			max < DESCRIPTORS_OPEN ? max : DESCRIPTORS_OPEN);
		control.head = (struct cmsghdr){CMSG_LEN(n * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
		size = n ? CMSG_SPACE(n * sizeof(int)) : 0;
		size = size < room ? size : room;
		*flags |= n < max ? 0 : MSG_CTRUNC & -(int)(n * sizeof(int) > room);
		give(t->caller, m->msg_control, &control, size);
	}
	give(t->caller, &m->msg_controllen, &size, sizeof size);
}

static ssize_t receive_message(const void *caller, int fd, struct msghdr *m, int flags)
{
	struct transfer t = transfer_of(caller, fd, m, flags);
	ssize_t size = descriptor_receive(&t);
	int found = t.truncated ? MSG_TRUNC : 0;
	socklen_t none = 0;

	if (size < 0)
		return size;
	if (t.source)
		give_address(caller, t.source, AF_UNSPEC, m->msg_name, &m->msg_namelen);
	else if (m->msg_name)
		give(caller, &m->msg_namelen, &none, sizeof none);
	give_control(&t, m, &found);
	give(caller, &m->msg_flags, &found, sizeof found);
	return size;
}

INTERCEPT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	NATIVELY(recvmsg, fd, m, flags);
	if (descriptor_is_ours(fd))
		return receive_message(__builtin_return_address(0), fd, m, flags);
	machine_drain();
	before_message(fd, POLLIN, flags, "recvmsg");
	io_fill_vector(m->msg_iov, m->msg_iovlen);
	io_fill(m, sizeof *m);
	return real(recvmsg)(fd, m, flags);
}

/* --- out ------------------------------------------------------------------------------------- */

static ssize_t send_to(
	struct transfer *t, const struct sockaddr *to, socklen_t length, const char *call)
{
	struct address a;
	int error;

	if (!to)
		return descriptor_send(t);
	if (!t->file.kind)
		t->file = descriptor_file(t->fd);
	if (t->file.kind == FILE_SOCKET)
		return errno_return(-EISCONN);
	error = take_address(t->caller, to, length, call, &a);
	t->to = &a;
	return error ? errno_return(error) : descriptor_send(t);
}

INTERCEPT ssize_t sendto(
	int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t length)
{
	NATIVELY(sendto, fd, from, n, flags, to, length);
	if (descriptor_is_ours(fd))
		return send_to(&(struct transfer){.caller = __builtin_return_address(0),
				       .fd = fd,
				       .v = &(struct iovec){(void *)(uintptr_t)from, n},
				       .n = 1,
				       .flags = flags},
			to, length, "sendto");
	before_message(fd, POLLOUT, flags, "sendto");
	return real(sendto)(fd, from, n, flags, to, length);
}

INTERCEPT ssize_t send(int fd, const void *from, size_t n, int flags)
{
	NATIVELY(send, fd, from, n, flags);
	if (descriptor_is_ours(fd))
		return descriptor_writev(__builtin_return_address(0), fd,
			&(struct iovec){(void *)(uintptr_t)from, n}, 1, flags);
	before_message(fd, POLLOUT, flags, "send");
	return real(send)(fd, from, n, flags);
}

/* The descriptors that a message passes. */
static i64 take_control(const struct msghdr *m, u64 *passed)
{
	const struct cmsghdr *c = m->msg_controllen ? CMSG_FIRSTHDR(m) : NULL;
	u32 n;

	*passed = 0;
	if (!c)
		return 0;
	if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
		CMSG_NXTHDR((struct msghdr *)(uintptr_t)m, (struct cmsghdr *)(uintptr_t)c))
		machine_refuse(
			"the program sends a message with credentials, or several headers: not "
			"simulated");
	n = (u32)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	return descriptor_pass((const int *)CMSG_DATA(c), n, passed);
}

static ssize_t send_message(const void *caller, int fd, const struct msghdr *m, int flags)
{
	struct transfer t = transfer_of(caller, fd, m, flags);
	i64 error = take_control(m, &t.passed);
	ssize_t size =
		error ? errno_return(error) : send_to(&t, m->msg_name, m->msg_namelen, "sendmsg");

	if (size < 0)
		descriptor_take_passed(t.passed, NULL, 0);
	return size;
}

INTERCEPT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	NATIVELY(sendmsg, fd, m, flags);
	if (descriptor_is_ours(fd))
		return send_message(__builtin_return_address(0), fd, m, flags);
	machine_drain();
	before_message(fd, POLLOUT, flags, "sendmsg");
	return real(sendmsg)(fd, m, flags);
}

/* --- several messages ------------------------------------------------------------------------ */

INTERCEPT int sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
	const void *caller = __builtin_return_address(0);
	unsigned done = 0;
	ssize_t size;

	NATIVELY(sendmmsg, fd, m, n, flags);
	refuse_kernels(fd, "sendmmsg");
	for (; done < n; done++) {
		size = send_message(caller, fd, &m[done].msg_hdr, flags);
		if (size < 0)
			return done ? (int)done : -1;
		give(caller, &m[done].msg_len, &(unsigned){(unsigned)size}, sizeof(unsigned));
	}
	return (int)done;
}

INTERCEPT int recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
	const void *caller = __builtin_return_address(0);
	unsigned done = 0;
	ssize_t size;

	NATIVELY(recvmmsg, fd, m, n, flags, timeout);
	refuse_kernels(fd, "recvmmsg");
	if (timeout)
		machine_refuse("the program calls recvmmsg() with a time-out: not simulated");
	for (; done < n; done++) {
		size = receive_message(caller, fd, &m[done].msg_hdr, flags & ~MSG_WAITFORONE);
		if (size < 0)
			return done ? (int)done : -1;
		give(caller, &m[done].msg_len, &(unsigned){(unsigned)size}, sizeof(unsigned));
		flags |= flags & MSG_WAITFORONE ? MSG_DONTWAIT : 0;
	}
	return (int)done;
}
