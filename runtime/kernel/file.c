/* SPDX-License-Identifier: ISC */
/* file.c - see file.h. */
#include "kernel/file.h"
#include "kernel/epoll.h"
#include "kernel/op.h"
#include "kernel/signalfd.h"
#include "kernel/socket.h"
#include "kernel/timer.h"
#include "machine/wait/interrupt.h"
#include "machine/record/name.h"
#include "object/channel.h"
#include "object/counter.h"
#include "object/interest.h"
#include "object/life.h"
#include "object/state_table.h"

#include <errno.h>
#include <poll.h>

FILE_WAITS(op_read, EV_FD_READ, OBJECT_CHANNEL_READ, channel);
FILE_OP(op_try_read, EV_FD_READ, OBJECT_CHANNEL_TRYREAD, channel);
FILE_WAITS(op_write, EV_FD_WRITE, OBJECT_CHANNEL_WRITE, channel);
FILE_OP(op_try_write, EV_FD_WRITE, OBJECT_CHANNEL_TRYWRITE, channel);
FILE_OP(op_ends, EV_FD_CLOSE, OBJECT_CHANNEL_ENDS, channel);
FILE_OP(op_look, EV_FD_POLL, OBJECT_CHANNEL_LOOK, channel);
FILE_OP(op_error, EV_FD_OPEN, OBJECT_CHANNEL_ERROR, channel);
FILE_OP(op_resize, EV_FD_OPEN, OBJECT_CHANNEL_RESIZE, channel);
FILE_OP(op_shut, EV_FD_CLOSE, OBJECT_CHANNEL_SHUT, channel);

FILE_WAITS(op_count_down, EV_FD_READ, OBJECT_COUNTER_READ, counter);
FILE_OP(op_try_count_down, EV_FD_READ, OBJECT_COUNTER_TRYREAD, counter);
FILE_WAITS(op_count_up, EV_FD_WRITE, OBJECT_COUNTER_WRITE, counter);
FILE_OP(op_try_count_up, EV_FD_WRITE, OBJECT_COUNTER_TRYWRITE, counter);
FILE_OP(op_look_at_count, EV_FD_POLL, OBJECT_COUNTER_LOOK, counter);

FILE_OP(op_watch, EV_FD_POLL, OBJECT_CHANNEL_WATCH, channel);
FILE_OP(op_watch_counter, EV_FD_POLL, OBJECT_COUNTER_WATCH, counter);

FILE_OP(op_init, EV_FD_OPEN, OBJECT_INIT, life);

u64 op_call(const struct sync_op *op, const void *obj, u64 argument)
{
	u64 result = 0;
	enum interrupt_end end;

	waiting_check();
	if (!op->ready) {
		interrupt_point();
		return watch_notify(op, obj, argument, sync_step(op, obj, argument));
	}
	do {
		if (!interrupt_begins(CALL_RESTARTS))
			result = sync_step(op, obj, argument);
		end = interrupt_ends();
	} while (end == INTERRUPT_AGAIN);
	return end ? OBJECT_INTERRUPTED : watch_notify(op, obj, argument, result);
}

/* --- new ones -------------------------------------------------------------------------------- */

u32 op_new_object(u64 state, const char *name)
{
	u32 number = descriptor_new_object();
	const void *obj = descriptor_object(number);

	sync_one_step(true); /* new: unknown to other threads */
	op_step(&op_init, obj, state);
	sync_one_step(false);
	name_give((u64)(uintptr_t)obj, 8, name);
	return number;
}

void file_pipe(struct file end[2], bool nonblocking)
{
	u32 number = op_new_object(channel_new(CHANNEL_PIPE, 0), "a pipe");

	for (int i = 0; i < 2; i++)
		end[i] = (struct file){.kind = FILE_PIPE, .nonblocking = nonblocking};
	end[0].in = end[1].out = number;
}

void file_pair(struct file end[2], enum channel_kind kind, bool nonblocking)
{
	u32 there = op_new_object(channel_new(kind, 0), "a socket");
	u32 back = op_new_object(channel_new(kind, 0), "a socket");

	for (int i = 0; i < 2; i++)
		end[i] = (struct file){.kind = FILE_SOCKET,
			.nonblocking = nonblocking,
			.messages = kind >= CHANNEL_PACKETS,
			.in = i ? there : back,
			.out = i ? back : there};
}

struct file file_event(u64 value, bool semaphore, bool nonblocking)
{
	u32 number = op_new_object(value, "an eventfd");

	return (struct file){.kind = FILE_EVENT,
		.nonblocking = nonblocking,
		.semaphore = semaphore,
		.in = number,
		.out = number};
}

static u64 look_at_object(struct file f, u32 number)
{
	return sync_step(
		f.kind == FILE_EVENT ? &op_look_at_count : &op_look, descriptor_object(number), 0);
}

/* Does a pending error come before that of a write to a closed socket? */
static bool tells_errors(struct file f)
{
	return f.in && channel_kind_of(look_at_object(f, f.in)) != CHANNEL_STREAM;
}

/* --- reading and writing --------------------------------------------------------------------- */

static i64 read_counter(struct file f, size_t n, bool waits, const struct channel_message **m)
{
	const void *obj = descriptor_object(f.in);
	struct {
		struct channel_message m;
		u64 value;
	} read = {0};
	u32 size;

	if (n < sizeof read.value)
		return -EINVAL;
	read.value = waits ? op_call(&op_count_down, obj, f.semaphore)
			   : op_call(&op_try_count_down, obj, f.semaphore);
	if (read.value == OBJECT_INTERRUPTED)
		return -EINTR;
	sync_event(EV_FD_READ, obj, read.value | FILE_VALUE, read.value ? 0 : EAGAIN);
	if (!read.value)
		return -EAGAIN;
	waiting_check();
	*m = state_of(state_intern(&read, sizeof read), &size);
	return sizeof read.value;
}

static i64 read_channel(
	struct file f, size_t n, bool waits, bool peek, const struct channel_message **m)
{
	const void *obj = descriptor_object(f.in);
	u64 result = channel_read_argument(f.messages ? CHANNEL_MESSAGE_MAX : n, peek);
	u32 size = 0;

	result = waits ? op_call(&op_read, obj, result) : op_call(&op_try_read, obj, result);
	if (result == OBJECT_INTERRUPTED)
		return -EINTR;
	if (channel_failed(result)) {
		sync_event(EV_FD_READ, obj, 0, result - CHANNEL_ERROR);
		return -(i64)(result - CHANNEL_ERROR);
	}
	*m = result ? state_of(result, &size) : NULL;
	size -= *m ? sizeof **m : 0;
	sync_event(EV_FD_READ, obj, size, 0);
	return size;
}

i64 file_read(struct file f, size_t n, u32 flags, const struct channel_message **m)
{
	bool waits = !f.nonblocking && !(flags & FILE_NONBLOCKING);
	i32 error = f.kind == FILE_ENDPOINT ? socket_resolve(&f) : 0;

	*m = NULL;
	if (error) {
		interrupt_point();
		return error;
	}
	if (!f.in)
		return -EBADF;
	if (f.kind == FILE_EVENT)
		return read_counter(f, n, waits, m);
	if (f.kind == FILE_TIMER)
		return n < sizeof(u64) ? -EINVAL : timer_read(f, waits, m);
	if (f.kind == FILE_SIGNAL)
		return signalfd_read(f, n, waits, m);
	if (f.kind == FILE_EPOLL)
		return -EINVAL;
	if (!n && !f.messages)
		return 0;
	return read_channel(f, n, waits, flags & FILE_PEEK, m);
}

static i64 write_counter(struct file f, const u8 *bytes, size_t n, bool waits)
{
	const void *obj = descriptor_object(f.out);
	u64 value, done;

	if (n < sizeof value)
		return -EINVAL;
	__builtin_memcpy(&value, bytes, sizeof value);
	if (value == UINT64_MAX)
		return -EINVAL;
	if (value > COUNTER_MAX)
		machine_refuse("limit: the counter of an eventfd is less than %llu",
			(unsigned long long)COUNTER_MAX);
	done = waits ? op_call(&op_count_up, obj, value) : op_call(&op_try_count_up, obj, value);
	if (done == OBJECT_INTERRUPTED)
		return -EINTR;
	sync_event(EV_FD_WRITE, obj, value | FILE_VALUE, done ? 0 : EAGAIN);
	return done ? (i64)sizeof value : -EAGAIN;
}

i64 file_write_channel(u32 number, const struct channel_message *m, u32 n, bool waits)
{
	const void *obj = descriptor_object(number);
	u64 result;

	waiting_check();
	result = state_intern(m, (u32)sizeof *m + n);
	result = waits ? op_call(&op_write, obj, result) : op_call(&op_try_write, obj, result);
	if (result == OBJECT_INTERRUPTED)
		return -EINTR;
	if (!channel_failed(result)) {
		sync_event(EV_FD_WRITE, obj, result, 0);
		return (i64)result;
	}
	sync_event(EV_FD_WRITE, obj, 0, result - CHANNEL_ERROR);
	return -(i64)(result - CHANNEL_ERROR);
}

/* Write to a stream until all is written, or no more is possible without waiting. */
static i64 write_stream(u32 number, struct channel_message *m, u32 n, bool waits)
{
	u32 done = 0;
	i64 part;

	do {
		part = file_write_channel(number, m, n - done, waits);
		if (part < 0)
			return done ? (i64)done : part;
		done += (u32)part;
		m->passed = 0;
		__builtin_memmove(m->byte, m->byte + part, n - done);
	} while (done < n);
	return n;
}

i64 file_write(struct file f, struct channel_message *m, u32 n, u32 flags)
{
	bool waits = !f.nonblocking && !(flags & FILE_NONBLOCKING);
	u32 error = 0;
	i64 result;

	if (f.kind == FILE_ENDPOINT)
		return socket_send(f, NULL, m, n, flags);
	if (!f.out)
		return -EBADF;
	if (f.kind == FILE_EVENT)
		return write_counter(f, m->byte, n, waits);
	result = f.messages ? file_write_channel(f.out, m, n, waits)
			    : write_stream(f.out, m, n, waits);
	if (result == -EPIPE && f.kind == FILE_SOCKET && tells_errors(f))
		error = file_error(f);
	return error ? -(i64)error : result;
}

/* --- looking --------------------------------------------------------------------------------- */

/* in, out: results of a check of its objects; out: 0 unless looks_at_out(). */
static i32 socket_events(u64 in, u64 out)
{
	enum channel_kind kind = channel_kind_of(in);
	bool shut = in & CHANNEL_UNWRITTEN && out & CHANNEL_SHUT;
	i32 found = 0;

	if (in & CHANNEL_UNWRITTEN)
		found |= POLLRDHUP;
	if (in & CHANNEL_RESET || (kind == CHANNEL_TCP && out & CHANNEL_RESET))
		found |= POLLERR | POLLHUP;
	if (shut || (in | out) & CHANNEL_ENDED ||
		(kind != CHANNEL_TCP && kind != CHANNEL_DATAGRAMS && in & CHANNEL_CLOSED))
		found |= POLLHUP;
	return found;
}

static i32 poll_events(struct file f, u64 in, u64 out, i32 events)
{
	i32 found = 0;

	if (in & CHANNEL_READABLE)
		found |= POLLIN | POLLRDNORM;
	if (out & CHANNEL_WRITABLE)
		found |= POLLOUT | POLLWRNORM;
	if (f.kind == FILE_PIPE && in & CHANNEL_UNWRITTEN)
		found = (found & ~(channel_unread(in) ? 0 : POLLIN | POLLRDNORM)) | POLLHUP;
	if (f.kind == FILE_PIPE && out & CHANNEL_UNREAD)
		found |= POLLERR;
	if (f.kind == FILE_SOCKET)
		found |= socket_events(in, out);
	return found & (events | POLLHUP | POLLERR);
}

static u32 ready_edges(u64 in, u64 out, i32 events)
{
	return (events & (POLLIN | POLLRDNORM | POLLRDHUP) ? channel_arrivals(in) : 0) |
	       (events & (POLLOUT | POLLWRNORM) ? channel_drains(out) : 0) << 12;
}

/* An end of which only the state is wanted; in: the result of a check of the other one. */
static bool looks_at_out(struct file f, u64 in, i32 events)
{
	return f.out && f.out != f.in &&
	       (f.kind != FILE_SOCKET || events & (POLLOUT | POLLWRNORM) ||
		       in & CHANNEL_UNWRITTEN);
}

i32 file_look(struct file f, i32 events, u32 *edges)
{
	struct endpoint_look e = {0};
	u64 in, out;

	if (f.kind == FILE_TIMER)
		return timer_look(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_SIGNAL)
		return signalfd_look(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_EPOLL)
		return epoll_look(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_ENDPOINT && !socket_look(&f, &e)) {
		if (edges)
			*edges = e.edges;
		return e.found & (events | POLLHUP | POLLERR);
	}
	in = f.in ? look_at_object(f, f.in) : 0;
	out = f.out == f.in ? in : looks_at_out(f, in, events) ? look_at_object(f, f.out) : 0;
	if (edges)
		*edges = ready_edges(in, out, events) + e.edges;
	return poll_events(f, in, out | e.out, events);
}

u32 file_unread(struct file f)
{
	if (f.kind == FILE_ENDPOINT && socket_resolve(&f))
		return 0;
	if (f.kind == FILE_TIMER || f.kind == FILE_EPOLL || f.kind == FILE_SIGNAL)
		return 0;
	return f.in ? channel_unread(look_at_object(f, f.in)) : 0;
}

u32 file_objects(struct file f, i32 events, const void *object[2])
{
	u32 n = 0;

	if (f.in)
		object[n++] = descriptor_object(f.in);
	if (looks_at_out(f, 0, events))
		object[n++] = descriptor_object(f.out);
	return n;
}

static u64 look_in_memory(struct file f, u32 number)
{
	u64 state = waiting_state(descriptor_object(number));

	if (f.kind == FILE_EVENT)
		return object_counter_step(OBJECT_COUNTER_LOOK, 0, 0, state).result;
	return object_channel_step(OBJECT_CHANNEL_LOOK, 0, 0, state).result;
}

i32 file_look_in_memory(struct file f, i32 events, u32 *edges)
{
	struct endpoint_look e = {0};
	u64 in, out;

	if (f.kind == FILE_TIMER)
		return timer_look_in_memory(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_SIGNAL)
		return signalfd_look_in_memory(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_EPOLL)
		return epoll_look_in_memory(f, edges) ? (POLLIN | POLLRDNORM) & events : 0;
	if (f.kind == FILE_ENDPOINT && !socket_look_in_memory(&f, &e)) {
		if (edges)
			*edges = e.edges;
		return e.found & (events | POLLHUP | POLLERR);
	}
	in = f.in ? look_in_memory(f, f.in) : 0;
	out = f.out == f.in ? in : looks_at_out(f, in, events) ? look_in_memory(f, f.out) : 0;
	if (edges)
		*edges = ready_edges(in, out, events) + e.edges;
	return poll_events(f, in, out | e.out, events);
}

void file_watch(struct file f, u32 epoll)
{
	const u32 both = INTEREST_READERS | INTEREST_WRITERS;

	if (f.kind == FILE_ENDPOINT)
		socket_watch(f, epoll);
	if (f.kind == FILE_EVENT)
		watch_object(epoll, f.in, f.in, both, &op_watch_counter);
	if (f.kind != FILE_PIPE && f.kind != FILE_SOCKET)
		return;
	if (f.in)
		watch_object(epoll, f.in, f.in, INTEREST_READERS, &op_watch);
	if (f.out)
		watch_object(epoll, f.out, f.out, INTEREST_WRITERS, &op_watch);
}

/* --- ends ------------------------------------------------------------------------------------ */

void file_close_socket(u32 in, u32 out, bool reset)
{
	if (in)
		reset |= op_step(&op_ends, descriptor_object(in), channel_ends(-1, 0, reset)) != 0;
	if (out)
		op_step(&op_ends, descriptor_object(out), channel_ends(0, -1, reset));
}

void file_copied(struct file f)
{
	if (f.kind == FILE_ENDPOINT)
		socket_copied(f);
	if (f.kind != FILE_PIPE && f.kind != FILE_SOCKET)
		return;
	if (f.in)
		op_step(&op_ends, descriptor_object(f.in), channel_ends(1, 0, false));
	if (f.out)
		op_step(&op_ends, descriptor_object(f.out), channel_ends(0, 1, false));
}

void file_closed(struct file f)
{
	if (f.in || f.out)
		sync_event(EV_FD_CLOSE, descriptor_object(f.in ? f.in : f.out), 0, 0);
	if (f.kind == FILE_ENDPOINT)
		socket_closed(f);
	if (f.kind == FILE_PIPE || f.kind == FILE_SOCKET)
		file_close_socket(f.in, f.out, false);
}

i32 file_shut(struct file f, bool in, bool out)
{
	i32 error = f.kind == FILE_ENDPOINT ? socket_shut(&f) : 0;

	if (error || f.kind != FILE_SOCKET)
		return error;
	if (file_connection_ended(f))
		return -ENOTCONN;
	if (in && f.in)
		op_step(&op_shut, descriptor_object(f.in), CHANNEL_SHUT_READ);
	if (out && f.out)
		op_step(&op_shut, descriptor_object(f.out), CHANNEL_SHUT_WRITE);
	return 0;
}

int file_pair_type(struct file f)
{
	switch (channel_kind_of(look_at_object(f, f.in))) {
	case CHANNEL_PACKETS: return SOCK_SEQPACKET;
	case CHANNEL_DATAGRAMS: return SOCK_DGRAM;
	default: return SOCK_STREAM;
	}
}

bool file_connection_ended(struct file f)
{
	u64 in = f.kind == FILE_SOCKET && f.in && f.out ? look_at_object(f, f.in) : 0, out;

	if (!in || channel_kind_of(in) != CHANNEL_TCP)
		return false;
	out = look_at_object(f, f.out);
	return (in | out) & CHANNEL_ENDED ||
	       (in & (CHANNEL_SHUT | CHANNEL_CLOSED) && out & CHANNEL_SHUT);
}

u32 file_error(struct file f)
{
	u32 error = f.in ? (u32)op_step(&op_error, descriptor_object(f.in), 0) : 0;

	if (error || !f.out || f.out == f.in)
		return error;
	return (u32)op_step(&op_error, descriptor_object(f.out), CHANNEL_OF_WRITER);
}

i64 file_resize(struct file f, u32 size)
{
	u64 result = op_step(&op_resize, descriptor_object(f.in ? f.in : f.out), size);

	return channel_failed(result) ? -(i64)(result - CHANNEL_ERROR) : (i64)result;
}
