/* SPDX-License-Identifier: ISC */
/* socket_option.c - interceptors of setsockopt() and getsockopt(). */
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/socket.h"
#include "intercept/file/time_limit.h"
#include "kernel/file.h"
#include "kernel/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/* Options that are stored but have no effect between threads; from bit 8 of struct
 * endpoint.options.
 */
static const struct {
	int level, name;
} kept[] = {
	{SOL_SOCKET, SO_REUSEADDR},
	{SOL_SOCKET, SO_KEEPALIVE},
	{SOL_SOCKET, SO_BROADCAST},
	{SOL_SOCKET, SO_OOBINLINE},
	{SOL_SOCKET, SO_DONTROUTE},
	{SOL_SOCKET, SO_REUSEPORT},
	{IPPROTO_TCP, TCP_NODELAY},
	{IPPROTO_TCP, TCP_QUICKACK},
	{IPPROTO_TCP, TCP_CORK},
	{IPPROTO_IPV6, IPV6_V6ONLY},
};

#define KEPT ((int)(sizeof kept / sizeof *kept))

/* Sizes and times, which are ignored. */
static bool is_ignored(int level, int name)
{
	if (level == SOL_SOCKET)
		return name == SO_RCVBUF || name == SO_SNDBUF || name == SO_PRIORITY ||
		       name == SO_RCVLOWAT;
	return level == IPPROTO_TCP &&
	       (name == TCP_KEEPIDLE || name == TCP_KEEPINTVL || name == TCP_KEEPCNT ||
		       name == TCP_USER_TIMEOUT || name == TCP_DEFER_ACCEPT);
}

static int find_kept_option(int level, int name)
{
	for (int i = 0; i < KEPT; i++)
		if (kept[i].level == level && kept[i].name == name)
			return i;
	return -1;
}

static _Noreturn void refuse_option(const char *call, int level, int name)
{
	machine_refuse(
		"the program calls %s() with level %d, option %d, for a socket between threads: "
		"not simulated",
		call, level, name);
}

static int set_linger(const void *caller, struct file f, const void *value)
{
	struct linger l;

	take(caller, &l, value, sizeof l);
	if (f.kind == FILE_ENDPOINT)
		socket_change(f, ENDPOINT_OPTION, ENDPOINT_ABORTS, l.l_onoff && !l.l_linger);
	return 0;
}

static enum descriptor_limit limit_named(int option)
{
	return option == SO_RCVTIMEO ? LIMIT_RECEIVE : LIMIT_SEND;
}

static int set_time_limit(const void *caller, int fd, struct file f, int name, const void *value)
{
	struct timeval t;

	take(caller, &t, value, sizeof t);
	if (t.tv_usec < 0 || t.tv_usec >= 1000000)
		return (int)errno_return(-EDOM);
	time_limit_set(fd, f, limit_named(name),
		(u64)t.tv_sec * 1000000000 + (u64)t.tv_usec * 1000);
	return 0;
}

static int get_time_limit(
	const void *caller, struct file f, int name, void *value, socklen_t *length)
{
	u64 ns = time_limit(f, limit_named(name));
	struct timeval t = {(time_t)(ns / 1000000000), (suseconds_t)(ns % 1000000000 / 1000)};
	socklen_t room;

	take(caller, &room, length, sizeof room);
	if (room > sizeof t)
		room = sizeof t;
	give(caller, value, &t, room);
	give(caller, length, &room, sizeof room);
	return 0;
}

INTERCEPT int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	const void *caller = __builtin_return_address(0);
	int bit, on = 0;
	struct file f;

	NATIVELY(setsockopt, fd, level, name, value, length);
	if (!descriptor_is_ours(fd))
		return real(setsockopt)(fd, level, name, value, length);
	f = socket_at(fd);
	if (!f.kind)
		return -1;
	bit = find_kept_option(level, name);
	if (level == SOL_SOCKET && name == SO_LINGER && length >= sizeof(struct linger))
		return set_linger(caller, f, value);
	if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO) &&
		length >= sizeof(struct timeval))
		return set_time_limit(caller, fd, f, name, value);
	if (bit < 0 && !is_ignored(level, name))
		refuse_option("setsockopt", level, name);
	if (length < sizeof on)
		return (int)errno_return(-EINVAL);
	take(caller, &on, value, sizeof on);
	if (bit >= 0 && f.kind == FILE_ENDPOINT)
		socket_change(f, ENDPOINT_OPTION, (u64)256 << bit, on != 0);
	return 0;
}

/* A socket's pending error, which is reported once. */
static u32 take_error(struct file f, const struct endpoint *e)
{
	if (e && e->error)
		return (u32)socket_change(f, ENDPOINT_ERROR, 0, 0);
	if (f.kind == FILE_ENDPOINT && (e->phase != ENDPOINT_CONNECTED || socket_resolve(&f)))
		return 0;
	return file_error(f);
}

static int socket_type(struct file f, const struct endpoint *e)
{
	if (e)
		return e->type;
	return file_pair_type(f);
}

static int emulated_option(struct file f, const struct endpoint *e, int level, int name)
{
	int bit = find_kept_option(level, name);

	if (bit >= 0)
		return e && e->options & (u64)256 << bit;
	if (level != SOL_SOCKET)
		refuse_option("getsockopt", level, name);
	switch (name) {
	case SO_ERROR: return (int)take_error(f, e);
	case SO_TYPE: return socket_type(f, e);
	case SO_DOMAIN: return e ? e->domain : AF_UNIX;
	case SO_PROTOCOL:
		return !e || e->domain == AF_UNIX ? 0
		       : e->type == SOCK_STREAM	  ? IPPROTO_TCP
						  : IPPROTO_UDP;
	case SO_ACCEPTCONN: return e && e->phase == ENDPOINT_LISTENS;
	case SO_RCVBUF:
	case SO_SNDBUF: return CHANNEL_ROOM_MAX;
	}
	refuse_option("getsockopt", level, name);
}

/* The peer of a socket is this process, if it has one, and is local. */
static struct ucred peer_of(struct file f, const struct endpoint *e)
{
	bool has = !e || (e->domain == AF_UNIX && e->phase == ENDPOINT_CONNECTED);

	return has ? (struct ucred){getpid(), geteuid(), getegid()} : (struct ucred){0, -1, -1};
}

static int give_peer(const void *caller, struct ucred peer, void *value, socklen_t *length)
{
	socklen_t room;

	take(caller, &room, length, sizeof room);
	room = room < sizeof peer ? room : (socklen_t)sizeof peer;
	give(caller, value, &peer, room);
	give(caller, length, &room, sizeof room);
	return 0;
}

INTERCEPT int getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
	const void *caller = __builtin_return_address(0);
	const struct endpoint *e;
	socklen_t room, size = sizeof(int);
	struct file f;
	int result;

	NATIVELY(getsockopt, fd, level, name, value, length);
	if (!descriptor_is_ours(fd))
		return real(getsockopt)(fd, level, name, value, length);
	f = socket_at(fd);
	if (!f.kind)
		return -1;
	if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
		return get_time_limit(caller, f, name, value, length);
	e = f.kind == FILE_ENDPOINT ? socket_endpoint(f) : NULL;
	if (level == SOL_SOCKET && name == SO_PEERCRED)
		return give_peer(caller, peer_of(f, e), value, length);
	result = emulated_option(f, e, level, name);
	take(caller, &room, length, sizeof room);
	size = room < size ? room : size;
	give(caller, value, &result, size);
	give(caller, length, &size, sizeof size);
	return 0;
}
