/* SPDX-License-Identifier: ISC */
/* socket.c - see socket.h. */
#include "kernel/socket.h"
#include "kernel/file.h"
#include "kernel/op.h"
#include "machine/wait/interrupt.h"
#include "machine/wait/vtime.h"
#include "object/interest.h"
#include "object/state_table.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>

FILE_OP(op_get, EV_FD_OPEN, OBJECT_ENDPOINT_GET, endpoint);
FILE_OP(op_change, EV_FD_OPEN, OBJECT_ENDPOINT_CHANGE, endpoint);
FILE_WAITS(op_offer, EV_FD_CONNECT, OBJECT_ENDPOINT_OFFER, endpoint);
FILE_OP(op_try_offer, EV_FD_CONNECT, OBJECT_ENDPOINT_TRYOFFER, endpoint);
FILE_WAITS(op_accept, EV_FD_ACCEPT, OBJECT_ENDPOINT_ACCEPT, endpoint);
FILE_OP(op_try_accept, EV_FD_ACCEPT, OBJECT_ENDPOINT_TRYACCEPT, endpoint);
FILE_OP(op_name, EV_FD_OPEN, OBJECT_CHANNEL_NAME, channel);

FILE_OP(op_bind, EV_FD_OPEN, OBJECT_ADDRESS_BIND, address);
FILE_OP(op_find, EV_FD_OPEN, OBJECT_ADDRESS_FIND, address);
FILE_OP(op_release, EV_FD_CLOSE, OBJECT_ADDRESS_RELEASE, address);
FILE_OP(op_watch, EV_FD_POLL, OBJECT_CHANNEL_WATCH, channel);
FILE_OP(op_unlink, EV_FD_CLOSE, OBJECT_ADDRESS_UNLINK, address);

/* The object of all addresses. */
static const void *const addresses = (const void *)(uintptr_t)0x530000000800u;

#define FIRST_PORT 32768
#define PORTS	   28000

static const struct endpoint none;

static const struct endpoint *endpoint_of_state(u64 state)
{
	const struct endpoint *e = endpoint_of(state);

	return e ? e : &none;
}

const struct endpoint *socket_endpoint(struct file f)
{
	return endpoint_of_state(sync_step(&op_get, descriptor_object(f.in), 0));
}

static bool has_port(const struct endpoint *e)
{
	return e->domain != AF_UNIX;
}

/* It has got its channels: they notify its watchers. The peer may have written already. */
static void watch_channels(struct file f, u64 connection)
{
	u32 in = endpoint_in(connection), out = endpoint_out(connection);
	struct file channels = {.kind = FILE_SOCKET, .in = in & 0xffffff, .out = out & 0xffffff};

	if (in)
		watch_like(f.in, in, INTEREST_READERS, &op_watch);
	if (out)
		watch_like(f.in, out, INTEREST_WRITERS, &op_watch);
	if (in && file_look(channels, POLLIN, NULL))
		watch_notify_object(f.in, INTEREST_READERS, POLLIN);
}

static u64 make_change(struct file f, struct endpoint_change c)
{
	const void *obj = descriptor_object(f.in);
	u64 argument, result;

	waiting_check();
	argument = state_intern(&c, sizeof c);
	result = sync_step(&op_change, obj, argument);
	if (c.what == ENDPOINT_CONNECT && channel_notifies(result)) {
		watch_channels(f, c.connection);
		if (!has_port(socket_endpoint(f)))
			return result ^ CHANNEL_NOTIFIES;
	}
	return watch_notify(&op_change, obj, argument, result);
}

u64 socket_change(struct file f, enum endpoint_what what, u64 value, u64 other)
{
	return make_change(f, (struct endpoint_change){what, value, other, 0});
}

static u64 intern_address(const struct address *a)
{
	waiting_check();
	return address_intern(a);
}

struct file socket_new(int domain, int type, bool nonblocking)
{
	bool datagrams = type == SOCK_DGRAM;
	u32 in = datagrams ? op_new_object(channel_new(CHANNEL_DATAGRAMS, 0), "a socket") : 0;

	waiting_check();
	return (struct file){.kind = FILE_ENDPOINT,
		.nonblocking = nonblocking,
		.messages = type != SOCK_STREAM,
		.in = op_new_object(endpoint_new((u32)domain, (u32)type, in), "a socket")};
}

/* --- addresses ------------------------------------------------------------------------------- */

static u64 bind_entry(struct file f, const struct endpoint *e, const struct address *a)
{
	struct address_entry entry = {intern_address(a), f.in, e->type == SOCK_DGRAM ? e->in : 0};

	return op_step(&op_bind, addresses, state_intern(&entry, sizeof entry));
}

/* An address with a free port, from the thread's own sequence, so that the choice does not depend
 * on other threads. */
static u64 bind_any_port(struct file f, const struct endpoint *e, struct address *a, bool listed)
{
	u64 error;

	do {
		address_set_port(a, FIRST_PORT + descriptor_new_object() % PORTS);
		error = listed ? bind_entry(f, e, a) : 0;
	} while (error == EADDRINUSE);
	return error;
}

i32 socket_bind(struct file f, const struct address *a, bool left)
{
	const struct endpoint *e = socket_endpoint(f);
	struct address own = *a;
	u64 error;

	if (e->name)
		return -EINVAL;
	own.type = e->type;
	if (address_domain(a) != e->domain)
		return -EINVAL;
	if (left)
		return -EADDRINUSE;
	error = has_port(e) && !address_port(a) ? bind_any_port(f, e, &own, true)
						: bind_entry(f, e, &own);
	return -(i32)(error ? error : socket_change(f, ENDPOINT_NAME, intern_address(&own), true));
}

/* Give a socket without an address one; listed: others may look for it. Returns its number. */
static u64 bind_automatically(struct file f, const struct endpoint *e, bool listed)
{
	struct address a = {.type = e->type};
	struct sockaddr_in *four = (void *)a.bytes;
	struct sockaddr_in6 *six = (void *)a.bytes;
	u64 name;

	if (e->name || !has_port(e))
		return e->name;
	four->sin_family = e->domain;
	a.length = e->domain == AF_INET ? sizeof *four : sizeof *six;
	if (!listed && e->domain == AF_INET)
		four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (!listed)
		six->sin6_addr.s6_addr[15] = 1;
	if (bind_any_port(f, e, &a, listed))
		return 0;
	name = intern_address(&a);
	socket_change(f, ENDPOINT_NAME, name, listed);
	return name;
}

/* The address as seen by peers on this interface. */
static u64 concrete(u64 name)
{
	const struct address *a = address_of(name);
	struct address own;

	if (!a || address_domain(a) == AF_UNIX || !address_is_any(a))
		return name;
	own = *a;
	if (address_domain(a) == AF_INET)
		((struct sockaddr_in *)(void *)own.bytes)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		((struct sockaddr_in6 *)(void *)own.bytes)->sin6_addr.s6_addr[15] = 1;
	return intern_address(&own);
}

/* No socket is bound there. */
static u64 error_of(u64 found, const struct address *a)
{
	return found == ADDRESS_NONE && address_is_path(a) ? ENOENT : ECONNREFUSED;
}

static u64 find_listener(const struct endpoint *e, const struct address *to)
{
	struct address a = *to;

	a.type = e->type;
	return op_step(&op_find, addresses, intern_address(&a));
}

bool socket_unlink(const struct address *a)
{
	static const u32 types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	struct address wanted = *a;
	bool found = false;

	for (int i = 0; i < 3 && !found; i++) {
		wanted.type = types[i];
		found = op_step(&op_unlink, addresses, intern_address(&wanted));
	}
	return found;
}

/* --- connections ----------------------------------------------------------------------------- */

i32 socket_listen(struct file f, int backlog)
{
	const struct endpoint *e = socket_endpoint(f);

	if (e->type == SOCK_DGRAM)
		return -EOPNOTSUPP;
	if (!bind_automatically(f, e, true))
		return -EINVAL;
	return -(i32)socket_change(f, ENDPOINT_LISTEN, (u32)(backlog < 0 ? 4096 : backlog), 0);
}

static i32 refuse_connection(struct file f, const struct endpoint *e, u64 error)
{
	if (!f.nonblocking || !has_port(e))
		return -(i32)error;
	socket_change(f, ENDPOINT_FAIL, error, 0);
	return -EINPROGRESS;
}

static enum channel_kind endpoint_channel(const struct endpoint *e)
{
	return e->type == SOCK_SEQPACKET ? CHANNEL_PACKETS
	       : has_port(e)		 ? CHANNEL_TCP
					 : CHANNEL_STREAM;
}

/* A wait until a socket that listens has room for a connection, or does not listen any more. */
struct room_wait {
	struct waited w;
	const void *listener;
};

static bool takes_connections(const struct endpoint *e)
{
	return e->phase != ENDPOINT_LISTENS || (e->n <= e->backlog && e->n < ENDPOINT_QUEUE);
}

static bool is_room_ready(const struct waited *w)
{
	const struct room_wait *r = (const struct room_wait *)w;

	return takes_connections(endpoint_of_state(waiting_state(r->listener)));
}

static u32 look_for_room(struct waited *w)
{
	struct room_wait *r = (struct room_wait *)w;

	w->obj = r->listener;
	return takes_connections(endpoint_of_state(sync_step(&op_get, r->listener, 0)));
}

static u64 offer_until(const void *listener, u64 connection, u64 deadline)
{
	struct room_wait r = {{.ready = is_room_ready, .look = look_for_room}, listener};
	u64 error, left;
	u32 found;

	do {
		error = op_call(&op_try_offer, listener, connection);
		left = error == EAGAIN ? vtime_until(deadline) : 0;
		found = left ? poll_until(&r.w, (i64)left) : 0;
	} while (found && found != POLL_INTERRUPTED);
	return found ? EINTR : error;
}

/* limit: the time until which it may wait; 0: for ever. */
static u64 offer_connection(
	struct file f, const struct endpoint *e, u64 found, u64 connection, u64 limit)
{
	const void *listener = descriptor_object((u32)found);
	u64 error = limit ? offer_until(listener, connection, limit)
			  : op_call(f.nonblocking ? &op_try_offer : &op_offer, listener,
				    connection);

	if (error == OBJECT_INTERRUPTED)
		return EINTR;
	if (error == EAGAIN && has_port(e))
		machine_refuse("connect() of a socket that does not block, or with a time limit "
			       "that has passed, to one whose backlog is full: not simulated");
	return error;
}

static i32 connect_stream(
	struct file f, const struct endpoint *e, const struct address *to, u64 limit)
{
	bool in_progress = f.nonblocking && has_port(e);
	u64 found, name, peer, error;
	u32 in, out;

	if (e->phase == ENDPOINT_CONNECTED)
		return -(i32)socket_change(f, ENDPOINT_COLLECT, 0, 0);
	if (e->phase != ENDPOINT_FRESH)
		return -EINVAL;
	if (e->error)
		return -(i32)socket_change(f, ENDPOINT_ERROR, 0, 0);
	found = find_listener(e, to);
	if (found <= ADDRESS_LEFT)
		return refuse_connection(f, e, error_of(found, to));
	name = bind_automatically(f, e, false);
	peer = concrete(intern_address(to));
	in = op_new_object(channel_new(endpoint_channel(e), name), "a socket");
	out = op_new_object(channel_new(endpoint_channel(e), peer), "a socket");
	error = offer_connection(f, e, found, endpoint_connection(out, in), limit);
	if (error)
		return error == EAGAIN ? -EAGAIN : refuse_connection(f, e, error);
	error = make_change(f, (struct endpoint_change){ENDPOINT_CONNECT, peer, in_progress,
				       endpoint_connection(in, out)});
	return error ? -(i32)error : in_progress ? -EINPROGRESS : 0;
}

static i32 connect_datagrams(struct file f, const struct endpoint *e, const struct address *to)
{
	u64 found;

	if (address_domain(to) == AF_UNSPEC)
		return -(i32)socket_change(f, ENDPOINT_CONNECT, 0, 0);
	found = has_port(e) ? ADDRESS_LEFT : find_listener(e, to);
	if (found <= ADDRESS_LEFT && !has_port(e))
		return -(i32)error_of(found, to);
	bind_automatically(f, e, true);
	return -(i32)make_change(
		f, (struct endpoint_change){ENDPOINT_CONNECT, concrete(intern_address(to)), 0,
			   endpoint_connection(0, has_port(e) ? 0 : address_channel(found))});
}

i32 socket_connect(struct file f, const struct address *to, u64 limit)
{
	const struct endpoint *e = socket_endpoint(f);

	return e->type == SOCK_DGRAM ? connect_datagrams(f, e, to)
				     : connect_stream(f, e, to, limit);
}

static u64 name_of_reader(u32 channel)
{
	return sync_step(&op_name, descriptor_object(channel), 0);
}

i32 socket_accept(struct file f, bool nonblocking, struct file *accepted, u64 *peer)
{
	const struct endpoint *e = socket_endpoint(f);
	struct endpoint_change c = {.what = ENDPOINT_CONNECT};
	u64 name;

	if (e->type == SOCK_DGRAM)
		return -EOPNOTSUPP;
	c.connection =
		op_call(f.nonblocking ? &op_try_accept : &op_accept, descriptor_object(f.in), 0);
	if (c.connection == OBJECT_INTERRUPTED)
		return -EINTR;
	if (c.connection & ENDPOINT_ERRORS)
		return -(i32)(c.connection & ~ENDPOINT_ERRORS);
	sync_one_step(true);
	c.value = *peer = name_of_reader(endpoint_out(c.connection));
	name = name_of_reader(endpoint_in(c.connection));
	*accepted = socket_new(e->domain, e->type, nonblocking);
	sync_one_step(true);
	if (name)
		socket_change(*accepted, ENDPOINT_NAME, name, 0);
	make_change(*accepted, c);
	sync_one_step(false);
	return 0;
}

/* --- datagrams ------------------------------------------------------------------------------- */

static i64 send_to_channel(
	const struct endpoint *e, u32 channel, const struct channel_message *m, u32 n, bool waits)
{
	i64 result = file_write_channel(channel, m, n, waits && !has_port(e));

	if (result == -EAGAIN && has_port(e))
		machine_refuse("limit: more than %d bytes of datagrams wait to be received",
			CHANNEL_ROOM_MAX);
	return result;
}

/* An error that is found without an operation: the call is a cancellation point all the same. */
static i64 failed_call(i64 error)
{
	interrupt_point();
	return error;
}

static i64 send_datagram(struct file f, const struct endpoint *e, const struct address *to,
	struct channel_message *m, u32 n, bool waits)
{
	const struct address *peer = to ? to : address_of(e->peer);
	u64 found = ADDRESS_NONE;
	i64 result = -ECONNREFUSED;

	if (e->error)
		return -(i64)socket_change(f, ENDPOINT_ERROR, 0, 0);
	if (!peer)
		return failed_call(has_port(e) ? -EDESTADDRREQ : -ENOTCONN);
	m->source = concrete(bind_automatically(f, e, true));
	if (!to && e->out)
		return send_to_channel(e, e->out, m, n, waits);
	found = find_listener(e, peer);
	if (found > ADDRESS_LEFT)
		result = send_to_channel(e, address_channel(found), m, n, waits);
	if (result != -ECONNREFUSED && result != -ENOTCONN)
		return result;
	if (!has_port(e))
		return -(i64)error_of(found, peer);
	if (!to)
		socket_change(f, ENDPOINT_FAIL, ECONNREFUSED, 0);
	return n;
}

static struct file channels_of(struct file f, const struct endpoint *e)
{
	f.kind = FILE_SOCKET;
	f.in = e->in & 0xffffff;
	f.out = e->out & 0xffffff;
	return f;
}

i64 socket_send(
	struct file f, const struct address *to, struct channel_message *m, u32 n, u32 flags)
{
	const struct endpoint *e = socket_endpoint(f);

	if (e->type == SOCK_DGRAM)
		return send_datagram(f, e, to, m, n, !f.nonblocking && !(flags & FILE_NONBLOCKING));
	if (e->error)
		return -(i64)socket_change(f, ENDPOINT_ERROR, 0, 0);
	if (e->phase != ENDPOINT_CONNECTED)
		return failed_call(has_port(e) ? -EPIPE : -ENOTCONN);
	return file_write(channels_of(f, e), m, n, flags);
}

/* --- for file.c ------------------------------------------------------------------------------ */

i32 socket_resolve(struct file *f)
{
	const struct endpoint *e = socket_endpoint(*f);

	if (e->error)
		return -(i32)socket_change(*f, ENDPOINT_ERROR, 0, 0);
	if (e->type != SOCK_DGRAM && e->phase != ENDPOINT_CONNECTED)
		return has_port(e) ? -ENOTCONN : -EINVAL;
	*f = channels_of(*f, e);
	return 0;
}

void socket_copied(struct file f)
{
	socket_change(f, ENDPOINT_COPY, 0, 0);
}

void socket_closed(struct file f)
{
	const struct endpoint *e;

	if (!socket_change(f, ENDPOINT_CLOSE, 0, 0))
		return;
	e = socket_endpoint(f);
	if (e->options & ENDPOINT_LISTED)
		op_step(&op_release, addresses, f.in);
	for (u32 i = 0; i < e->n; i++)
		file_close_socket(endpoint_in(e->queue[i]), endpoint_out(e->queue[i]), true);
	file_close_socket(e->in, e->type == SOCK_DGRAM ? 0 : e->out, e->options & ENDPOINT_ABORTS);
}

void socket_watch(struct file f, u32 epoll)
{
	const struct endpoint *e;

	watch_object(epoll, f.in, f.in, INTEREST_READERS | INTEREST_WRITERS, NULL);
	socket_change(f, ENDPOINT_OPTION, ENDPOINT_WATCHED, true);
	e = socket_endpoint(f);
	if (e->in)
		watch_object(epoll, e->in, f.in, INTEREST_READERS, &op_watch);
	if (e->out)
		watch_object(epoll, e->out, f.in, INTEREST_WRITERS, &op_watch);
}

i32 socket_shut(struct file *f)
{
	const struct endpoint *e = socket_endpoint(*f);

	if (e->phase == ENDPOINT_LISTENS) {
		socket_change(*f, ENDPOINT_STOP, 0, 0);
		return 0;
	}
	if (e->phase != ENDPOINT_CONNECTED)
		return -ENOTCONN;
	*f = channels_of(*f, e);
	return 0;
}

bool socket_is_connected(struct file f)
{
	const struct endpoint *e = socket_endpoint(f);

	return e->phase == ENDPOINT_CONNECTED &&
	       !(e->type == SOCK_STREAM && has_port(e) &&
		       file_connection_ended(channels_of(f, e)));
}

/* Of a socket without channels. */
static i32 events_of(const struct endpoint *e)
{
	i32 found = 0;

	if (e->phase == ENDPOINT_LISTENS)
		return e->n ? POLLIN | POLLRDNORM : 0;
	if (e->error)
		found = POLLERR | POLLIN | POLLRDNORM | POLLRDHUP;
	if (e->phase == ENDPOINT_SHUT)
		found = POLLIN | POLLRDNORM | POLLRDHUP;
	return found | POLLOUT | POLLWRNORM | (e->type != SOCK_DGRAM ? POLLHUP : 0);
}

static bool look_at_endpoint(const struct endpoint *e, struct file *f, struct endpoint_look *look)
{
	bool datagrams = e->type == SOCK_DGRAM;

	look->edges = (u32)e->changes << 24;
	look->found = events_of(e);
	if (datagrams ? e->error : e->phase != ENDPOINT_CONNECTED)
		return false;
	*f = channels_of(*f, e);
	look->out = datagrams && !e->out ? CHANNEL_WRITABLE : 0;
	return true;
}

bool socket_look(struct file *f, struct endpoint_look *look)
{
	return look_at_endpoint(socket_endpoint(*f), f, look);
}

bool socket_look_in_memory(struct file *f, struct endpoint_look *look)
{
	return look_at_endpoint(endpoint_of_state(waiting_state(descriptor_object(f->in))), f,
		look);
}
