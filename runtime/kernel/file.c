/* SPDX-License-Identifier: ISC */
/* file.c - see file.h. */
#include "kernel/file.h"
#include "kernel/poll.h"
#include "machine/name.h"
#include "machine/sync.h"
#include "object/channel.h"
#include "object/counter.h"
#include "object/life.h"
#include "object/state_table.h"
#include "sync/waiting.h"

#include <errno.h>
#include <poll.h>

static void keep_state(const void *obj, u64 state)
{
	waiting_keep(obj, state);
	poll_changed();
}

/* An operation that may have to wait, by its argument. */
#define FILE_WAITS(name, kind, op, object)                                                         \
	static bool name##_ready(const struct thread *t, const void *obj)                          \
	{                                                                                          \
		return object_##object##_step(                                                     \
			op, sync_argument(t), thread_id(t), waiting_state(obj))                    \
			.ready;                                                                    \
	}                                                                                          \
	SYNC_KEPT(name, kind, name##_ready, op, object, waiting_state, keep_state)
#define FILE_OP(name, kind, op, object)                                                            \
	SYNC_KEPT(name, kind, NULL, op, object, waiting_state, keep_state)

FILE_WAITS(op_read, EV_FD_READ, OBJECT_CHANNEL_READ, channel);
FILE_OP(op_try_read, EV_FD_READ, OBJECT_CHANNEL_TRYREAD, channel);
FILE_WAITS(op_write, EV_FD_WRITE, OBJECT_CHANNEL_WRITE, channel);
FILE_OP(op_try_write, EV_FD_WRITE, OBJECT_CHANNEL_TRYWRITE, channel);
FILE_OP(op_ends, EV_FD_CLOSE, OBJECT_CHANNEL_ENDS, channel);
FILE_OP(op_look, EV_FD_POLL, OBJECT_CHANNEL_LOOK, channel);

FILE_WAITS(op_count_down, EV_FD_READ, OBJECT_COUNTER_READ, counter);
FILE_OP(op_try_count_down, EV_FD_READ, OBJECT_COUNTER_TRYREAD, counter);
FILE_WAITS(op_count_up, EV_FD_WRITE, OBJECT_COUNTER_WRITE, counter);
FILE_OP(op_try_count_up, EV_FD_WRITE, OBJECT_COUNTER_TRYWRITE, counter);
FILE_OP(op_look_at_count, EV_FD_POLL, OBJECT_COUNTER_LOOK, counter);

FILE_OP(op_init, EV_FD_OPEN, OBJECT_INIT, life);

static u64 wait_step(const struct sync_op *op, const void *obj, u64 argument)
{
	waiting_check();
	return sync_step(op, obj, argument);
}

/* --- new ones -------------------------------------------------------------------------------- */

static u32 new_object(u64 state, const char *name)
{
	u32 number = descriptor_new_object();
	const void *obj = descriptor_object(number);

	waiting_check();
	sync_step(&op_init, obj, state);
	name_give((u64)(uintptr_t)obj, 8, name);
	return number;
}

void file_pipe(struct file end[2], bool nonblocking)
{
	u32 number = new_object(channel_new(false), "a pipe");

	for (int i = 0; i < 2; i++)
		end[i] = (struct file){.kind = FILE_PIPE, .nonblocking = nonblocking};
	end[0].in = end[1].out = number;
}

void file_pair(struct file end[2], bool messages, bool nonblocking)
{
	u32 there = new_object(channel_new(messages), "a socket");
	u32 back = new_object(channel_new(messages), "a socket");

	for (int i = 0; i < 2; i++)
		end[i] = (struct file){.kind = FILE_SOCKET,
			.nonblocking = nonblocking,
			.messages = messages,
			.in = i ? there : back,
			.out = i ? back : there};
}

struct file file_event(u64 value, bool semaphore, bool nonblocking)
{
	u32 number = new_object(value, "an eventfd");

	return (struct file){.kind = FILE_EVENT,
		.nonblocking = nonblocking,
		.semaphore = semaphore,
		.in = number,
		.out = number};
}

/* --- reading and writing --------------------------------------------------------------------- */

static i64 read_counter(struct file f, size_t n, bool waits, const void **bytes)
{
	const void *obj = descriptor_object(f.in);
	u32 size;
	u64 value;

	if (n < sizeof value)
		return -EINVAL;
	value = waits ? wait_step(&op_count_down, obj, f.semaphore)
		      : sync_step(&op_try_count_down, obj, f.semaphore);
	sync_event(EV_FD_READ, obj, value | FILE_VALUE, value ? 0 : EAGAIN);
	if (!value)
		return -EAGAIN;
	waiting_check();
	*bytes = state_of(state_intern(&value, sizeof value), &size);
	return sizeof value;
}

i64 file_read(struct file f, size_t n, u32 flags, const void **bytes)
{
	bool waits = !f.nonblocking && !(flags & FILE_NONBLOCKING);
	const void *obj = descriptor_object(f.in);
	u64 result;
	u32 size;

	if (!f.in)
		return f.kind == FILE_SOCKET ? 0 : -EBADF;
	if (f.kind == FILE_EVENT)
		return read_counter(f, n, waits, bytes);
	if (!n && !f.messages)
		return 0;
	result = channel_read_argument(n, flags & FILE_PEEK);
	result = waits ? wait_step(&op_read, obj, result) : sync_step(&op_try_read, obj, result);
	if (channel_failed(result)) {
		sync_event(EV_FD_READ, obj, 0, result - CHANNEL_ERROR);
		return -(i64)(result - CHANNEL_ERROR);
	}
	*bytes = result ? state_of(result, &size) : NULL;
	size = *bytes ? size : 0;
	sync_event(EV_FD_READ, obj, size, 0);
	return size;
}

static i64 write_counter(struct file f, const void *bytes, size_t n, bool waits)
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
	done = waits ? wait_step(&op_count_up, obj, value)
		     : sync_step(&op_try_count_up, obj, value);
	sync_event(EV_FD_WRITE, obj, value | FILE_VALUE, done ? 0 : EAGAIN);
	return done ? (i64)sizeof value : -EAGAIN;
}

/* At once, or, of a message, all of it. */
static i64 write_part(struct file f, const void *bytes, u32 n, bool waits)
{
	const void *obj = descriptor_object(f.out);
	u64 result;

	waiting_check();
	result = state_intern(bytes, n);
	result = waits ? wait_step(&op_write, obj, result) : sync_step(&op_try_write, obj, result);
	if (!channel_failed(result)) {
		sync_event(EV_FD_WRITE, obj, result, 0);
		return (i64)result;
	}
	sync_event(EV_FD_WRITE, obj, 0, result - CHANNEL_ERROR);
	return -(i64)(result - CHANNEL_ERROR);
}

i64 file_write(struct file f, const void *bytes, size_t n, u32 flags)
{
	bool waits = !f.nonblocking && !(flags & FILE_NONBLOCKING);
	size_t done = 0;
	i64 part;

	if (!f.out)
		return f.kind == FILE_SOCKET ? -EPIPE : -EBADF;
	if (f.kind == FILE_EVENT)
		return write_counter(f, bytes, n, waits);
	if (f.messages)
		return n > CHANNEL_MESSAGE_MAX ? -EMSGSIZE
					       : write_part(f, bytes, (u32)n, waits);
	while (done < n) {
		size_t left = n - done < CHANNEL_ROOM ? n - done : CHANNEL_ROOM;

		part = write_part(f, (const char *)bytes + done, (u32)left, waits);
		if (part < 0)
			return done ? (i64)done : part;
		done += (size_t)part;
	}
	return (i64)n;
}

/* --- looking --------------------------------------------------------------------------------- */

static u64 look(struct file f, u32 number)
{
	return sync_step(f.kind == FILE_EVENT ? &op_look_at_count : &op_look,
		descriptor_object(number), 0);
}

/* in, out: what a look at its objects has found. */
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
	if (f.kind == FILE_SOCKET && (!f.in || in & CHANNEL_UNWRITTEN))
		found |= POLLRDHUP | POLLIN | POLLRDNORM;
	if (f.kind == FILE_SOCKET && (!f.in || in & CHANNEL_UNWRITTEN) &&
		(!f.out || out & CHANNEL_UNREAD))
		found |= POLLHUP;
	return found & (events | POLLHUP | POLLERR);
}

static u32 edges_of(u64 in, u64 out, i32 events)
{
	return (events & (POLLIN | POLLRDNORM | POLLRDHUP) ? channel_arrivals(in) : 0) |
	       (events & (POLLOUT | POLLWRNORM) ? channel_drains(out) : 0) << 12;
}

/* An end that nothing but its state is asked for. */
static bool looks_at_out(struct file f, i32 events)
{
	return f.out && f.out != f.in &&
	       (f.kind != FILE_SOCKET || events & (POLLOUT | POLLWRNORM));
}

i32 file_look(struct file f, i32 events, u32 *edges)
{
	u64 in = f.in ? look(f, f.in) : 0;
	u64 out = f.out == f.in ? in : looks_at_out(f, events) ? look(f, f.out) : 0;

	if (edges)
		*edges = edges_of(in, out, events);
	return poll_events(f, in, out, events);
}

u32 file_unread(struct file f)
{
	return f.in ? channel_unread(look(f, f.in)) : 0;
}

u32 file_objects(struct file f, i32 events, const void *object[2])
{
	u32 n = 0;

	if (f.in)
		object[n++] = descriptor_object(f.in);
	if (looks_at_out(f, events))
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
	u64 in = f.in ? look_in_memory(f, f.in) : 0;
	u64 out = f.out == f.in		   ? in
		  : looks_at_out(f, events) ? look_in_memory(f, f.out)
					   : 0;

	if (edges)
		*edges = edges_of(in, out, events);
	return poll_events(f, in, out, events);
}

/* --- ends ------------------------------------------------------------------------------------ */

static void add_ends(struct file f, int n)
{
	if (f.kind != FILE_PIPE && f.kind != FILE_SOCKET)
		return;
	if (f.in)
		sync_step(&op_ends, descriptor_object(f.in), channel_ends(n, 0));
	if (f.out)
		sync_step(&op_ends, descriptor_object(f.out), channel_ends(0, n));
}

void file_copied(struct file f)
{
	add_ends(f, 1);
}

void file_closed(struct file f)
{
	if (f.in || f.out)
		sync_event(EV_FD_CLOSE, descriptor_object(f.in ? f.in : f.out), 0, 0);
	add_ends(f, -1);
}

struct file file_shut(struct file f, bool in, bool out)
{
	struct file ends = f;

	ends.in = in ? f.in : 0;
	ends.out = out ? f.out : 0;
	add_ends(ends, -1);
	f.in = in ? 0 : f.in;
	f.out = out ? 0 : f.out;
	return f;
}
