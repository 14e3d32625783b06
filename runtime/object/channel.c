/* SPDX-License-Identifier: ISC */
/*
 * channel.c - see channel.h.
 *
 * A state is the number of a struct channel (state_table.h), its bytes in their order, then its
 * marks. A message has its size, 4 bytes, and its struct channel_message in front. A stream has
 * none; marks tell with which of its bytes descriptors were passed.
 *
 * A write of a message that is too large, or to a stream of more than there is room for, writes as
 * many bytes as fit; one of at most CHANNEL_WHOLE bytes to a pipe is not divided.
 */
#include "object/channel.h"
#include "object/state_table.h"

#include <errno.h>

struct mark {
	u64 at, passed;
};

#define MARKS	    8
#define MESSAGE	    sizeof(struct channel_message)
#define MESSAGE_TOP (4 + MESSAGE)

/* After the end of what it reads (FIN), TCP's error by a reset is EPIPE, and reads have none. */
enum answered { ANSWERED_NOT, ANSWERED, ANSWERED_UNTOLD /* EPIPE is pending */ };

struct channel {
	u16 readers, writers;
	u8 kind;     /* enum channel_kind */
	u8 shut;     /* enum channel_shut, of both */
	u8 reset;    /* bool: the next read at the end fails */
	u8 answered; /* enum answered; datagrams: a write found no reader; TCP: it is reset */
	u32 n, room;
	u16 arrivals, drains; /* modulo CHANNEL_EDGES */
	u16 nmarks;
	u16 watched; /* bool: by epoll instances (object/watchers.h) */
	u64 name;
	u8 byte[CHANNEL_ROOM_MAX + CHANNEL_MESSAGE_MAX + MESSAGE_TOP + MARKS * sizeof(struct mark)];
};

#define HEAD offsetof(struct channel, byte)

/* The endpoint of a state, and the next state. */
static struct channel now;
static struct mark mark[MARKS];
static u8 message[MESSAGE + CHANNEL_ROOM_MAX]; /* read */

static bool has_messages(void)
{
	return now.kind >= CHANNEL_PACKETS;
}

static u64 intern_channel(void)
{
	u32 marks = now.nmarks * (u32)sizeof *mark;

	__builtin_memcpy(now.byte + now.n, mark, marks);
	return state_intern(&now, (u32)HEAD + now.n + marks);
}

/* The result, if the watchers may have to be notified. */
static u64 notifying(bool ready, u64 result)
{
	return ready && now.watched ? result ^ CHANNEL_NOTIFIES : result;
}

/* The state after an event that readers, or writers, wait for. */
static u64 after(bool arrives, bool drains)
{
	now.arrivals = (now.arrivals + arrives) % CHANNEL_EDGES;
	now.drains = (now.drains + drains) % CHANNEL_EDGES;
	return intern_channel();
}

u64 channel_new(enum channel_kind kind, u64 name)
{
	__builtin_memset(&now, 0, HEAD);
	now.readers = now.writers = 1;
	now.kind = (u8)kind;
	now.room = kind == CHANNEL_PIPE ? CHANNEL_PIPE_ROOM : CHANNEL_ROOM_MAX;
	now.name = name;
	return intern_channel();
}

/* False: not a state of a channel; a damaged file may name one. */
static bool load_channel(u64 state)
{
	u32 size;
	const void *bytes = state_of(state, &size);

	if (!bytes || size < HEAD || size > sizeof now)
		return false;
	__builtin_memcpy(&now, bytes, size);
	if (now.nmarks > MARKS || now.n != size - HEAD - now.nmarks * sizeof *mark)
		return false;
	__builtin_memcpy(mark, now.byte + now.n, now.nmarks * sizeof *mark);
	return true;
}

/* --- reading --------------------------------------------------------------------------------- */

/* Bytes available to a read: the first message, or a stream up to the next mark. */
static u32 first_bytes(void)
{
	u32 size = now.n;

	if (has_messages() && now.n >= MESSAGE_TOP)
		__builtin_memcpy(&size, now.byte, sizeof size);
	else if (now.nmarks && mark[0].at)
		size = (u32)mark[0].at;
	else if (now.nmarks > 1)
		size = (u32)mark[1].at;
	return size <= now.n ? size : now.n;
}

/* The first `gone` bytes have been read. */
static void drop_bytes(u32 gone)
{
	u32 passed = now.nmarks && !mark[0].at;

	now.n -= gone;
	__builtin_memmove(now.byte, now.byte + gone, now.n);
	now.nmarks = (u16)(now.nmarks - passed);
	__builtin_memmove(mark, mark + passed, now.nmarks * sizeof *mark);
	for (u32 i = 0; i < now.nmarks; i++)
		mark[i].at -= gone;
}

static bool channel_at_end(void)
{
	return now.kind != CHANNEL_DATAGRAMS ? !now.writers || now.shut
					     : now.shut & CHANNEL_SHUT_READ;
}

/* At the end; a datagram socket only says so to a read that would wait. */
static struct object_step read_nothing(bool waits)
{
	struct object_step s;

	if (now.reset) {
		now.reset = 0;
		return step_acquires(intern_channel(), CHANNEL_ERROR + ECONNRESET);
	}
	if (!channel_at_end() || (now.kind == CHANNEL_DATAGRAMS && !waits))
		return waits ? step_waits() : step_reads(CHANNEL_ERROR + EAGAIN);
	s = step_reads(0);
	s.acquire = true;
	return s;
}

static u32 room(void)
{
	return now.n < now.room ? now.room - now.n : 0;
}

static bool is_writable(void)
{
	if (now.kind == CHANNEL_PIPE)
		return room() >= CHANNEL_WHOLE;
	return now.n <= now.room / 2;
}

/* Is an event for writers that a read has left it writable? AF_UNIX: any read. */
static bool wakes_writers(bool was_writable)
{
	return is_writable() &&
	       (!was_writable || (now.kind != CHANNEL_PIPE && now.kind != CHANNEL_TCP));
}

static struct object_step read_step(bool waits, u64 argument)
{
	bool was_writable = is_writable();
	u32 size = first_bytes(), n = (u32)argument, top = has_messages() ? MESSAGE_TOP : 0;
	struct channel_message *m = (void *)message;
	struct object_step s;

	if (!now.n || (now.reset && has_messages()))
		return read_nothing(waits);
	n = n < size ? n : size;
	*m = (struct channel_message){.passed = now.nmarks && !mark[0].at ? mark[0].passed : 0};
	if (top)
		__builtin_memcpy(m, now.byte + sizeof size, sizeof *m);
	__builtin_memcpy(m->byte, now.byte + top, n);
	s = step_acquires(0, state_intern(message, (u32)MESSAGE + n));
	s.writes = !(argument >> 32);
	if (s.writes) {
		drop_bytes(top ? top + size : n);
		s.next = after(false, true);
		s.result = notifying(wakes_writers(was_writable), s.result);
	}
	return s;
}

/* --- writing --------------------------------------------------------------------------------- */

static bool is_unread(void)
{
	return !now.readers || (now.kind != CHANNEL_TCP && now.shut & CHANNEL_SHUT_READ);
}

/* With TCP the first write after the end still succeeds; it disconnects a datagram socket. */
static struct object_step write_unread(u32 size)
{
	struct object_step s;

	if (now.kind == CHANNEL_DATAGRAMS && !now.readers && now.answered)
		return step_reads(CHANNEL_ERROR + ENOTCONN);
	if (now.kind == CHANNEL_DATAGRAMS && !now.readers) {
		now.answered = ANSWERED;
		return step_acquires(intern_channel(), CHANNEL_ERROR + ECONNREFUSED);
	}
	if (now.kind != CHANNEL_TCP || now.answered)
		return step_reads(CHANNEL_ERROR + EPIPE);
	if (!size)
		return step_reads(0);
	now.answered = ANSWERED_UNTOLD;
	s = step_releases(after(false, true));
	s.result = notifying(true, size);
	return s;
}

static bool is_full_for(u32 size)
{
	u32 free = room();

	if (has_messages())
		return now.n && size + MESSAGE_TOP > free;
	return now.kind == CHANNEL_PIPE && size <= CHANNEL_WHOLE ? size > free : !free;
}

static void append_message(const struct channel_message *m, u32 size)
{
	if (has_messages()) {
		__builtin_memcpy(now.byte + now.n, &size, sizeof size);
		__builtin_memcpy(now.byte + now.n + sizeof size, m, sizeof *m);
		now.n += MESSAGE_TOP;
	} else if (m->passed) {
		mark[now.nmarks++] = (struct mark){now.n, m->passed};
	}
	__builtin_memcpy(now.byte + now.n, m->byte, size);
	now.n += size;
}

static struct object_step write_step(bool waits, u64 argument)
{
	u32 size;
	const struct channel_message *m = state_of(argument, &size);
	struct object_step s;

	if (!m || size < MESSAGE || size > MESSAGE + CHANNEL_MESSAGE_MAX)
		return step_reads(CHANNEL_ERROR + EINVAL);
	size -= MESSAGE;
	if (now.shut & CHANNEL_SHUT_WRITE)
		return step_reads(CHANNEL_ERROR + EPIPE);
	if (is_unread())
		return write_unread(size);
	if (!size && !has_messages())
		return step_reads(0);
	if (is_full_for(size) || (m->passed && now.nmarks == MARKS))
		return waits ? step_waits() : step_reads(CHANNEL_ERROR + EAGAIN);
	if (!has_messages() && size > room())
		size = room();
	append_message(m, size);
	s = step_releases(after(true, false));
	s.result = notifying(true, size);
	return s;
}

/* --- ends ------------------------------------------------------------------------------------ */

/* The writers end it by a reset. */
static void reset_channel(void)
{
	bool ended = now.kind == CHANNEL_TCP && now.shut & CHANNEL_SHUT_WRITE;

	now.reset |= !ended;
	now.answered = ended ? ANSWERED_UNTOLD : ANSWERED;
}

/* Result 1: its last reader has closed it and left data unread. */
static struct object_step ends_step(u64 argument)
{
	u16 readers = now.readers, writers = now.writers;
	struct object_step s;
	bool ends;
	u64 left;

	now.readers = (u16)(now.readers + argument);
	now.writers = (u16)(now.writers + (argument >> 16));
	if (argument >> 32 & 1)
		reset_channel();
	left = !now.readers && now.n && now.kind != CHANNEL_PIPE && now.kind != CHANNEL_DATAGRAMS;
	if (left && !now.answered)
		now.answered = ANSWERED;
	now.reset &= now.readers != 0;
	ends = (readers && !now.readers) || (writers && !now.writers);
	if (now.kind == CHANNEL_PIPE)
		ends = ends && (now.readers || now.writers);
	s = step_releases(after(true, true));
	s.result = notifying(ends, left);
	return s;
}

static bool is_untold(void)
{
	return now.kind == CHANNEL_TCP && now.answered == ANSWERED_UNTOLD;
}

static struct object_step error_step(bool of_writer)
{
	if (now.reset && !of_writer) {
		now.reset = 0;
		return step_acquires(intern_channel(), ECONNRESET);
	}
	if (!is_untold())
		return step_reads(0);
	now.answered = ANSWERED;
	return step_acquires(intern_channel(), EPIPE);
}

static struct object_step resize_step(u32 size)
{
	if (!size)
		return step_reads(now.room);
	if (size < now.n)
		return step_reads(CHANNEL_ERROR + EBUSY);
	now.room = size;
	return step_writes(after(false, true), notifying(true, size));
}

static struct object_step shut_step(u64 how)
{
	struct object_step s;

	now.shut |= (u8)how;
	s = step_releases(after(true, true));
	s.result = notifying(true, 0);
	return s;
}

static struct object_step watch_step(void)
{
	if (now.watched)
		return step_reads(0);
	now.watched = 1;
	return step_acquires(intern_channel(), 0);
}

/* The bytes of all messages, but of datagrams only those of the first. */
static u32 unread_bytes(void)
{
	u32 all = 0, size;

	if (now.kind != CHANNEL_PACKETS)
		return has_messages() && now.n ? first_bytes() : now.n;
	for (u32 at = 0; at + MESSAGE_TOP <= now.n; at += MESSAGE_TOP + size) {
		__builtin_memcpy(&size, now.byte + at, sizeof size);
		all += size;
	}
	return all;
}

static struct object_step look_step(void)
{
	bool apart = now.kind == CHANNEL_TCP || now.kind == CHANNEL_DATAGRAMS;
	struct object_step s;
	u64 look = 0;

	look |= now.n || channel_at_end() || now.reset ? CHANNEL_READABLE : 0;
	look |= is_writable() || is_unread() || now.shut & CHANNEL_SHUT_WRITE ? CHANNEL_WRITABLE
									      : 0;
	look |= is_unread() ? CHANNEL_UNREAD : 0;
	look |= channel_at_end() ? CHANNEL_UNWRITTEN : 0;
	look |= !now.writers ? CHANNEL_CLOSED : 0;
	look |= now.reset || is_untold() ? CHANNEL_RESET : 0;
	look |= now.kind == CHANNEL_TCP && now.answered ? CHANNEL_ENDED : 0;
	look |= now.shut & (apart ? CHANNEL_SHUT_WRITE : CHANNEL_SHUT_BOTH) ? CHANNEL_SHUT : 0;
	look |= (u64)unread_bytes() << CHANNEL_LOOK_BYTES;
	look |= (u64)now.arrivals << CHANNEL_LOOK_ARRIVALS;
	look |= (u64)now.kind << CHANNEL_LOOK_KIND;
	s = step_reads(look | (u64)now.drains << CHANNEL_LOOK_DRAINS);
	s.acquire = true;
	return s;
}

OBJECT_STEP(channel)
{
	if (!load_channel(state))
		return step_reads(CHANNEL_ERROR + EBADF);
	switch (op) {
	case OBJECT_CHANNEL_LOOK: return look_step();
	case OBJECT_CHANNEL_ENDS: return ends_step(argument);
	case OBJECT_CHANNEL_ERROR: return error_step(argument == CHANNEL_OF_WRITER);
	case OBJECT_CHANNEL_NAME: return step_reads(now.name);
	case OBJECT_CHANNEL_RESIZE: return resize_step((u32)argument);
	case OBJECT_CHANNEL_SHUT: return shut_step(argument);
	case OBJECT_CHANNEL_WATCH: return watch_step();
	case OBJECT_CHANNEL_READ:
	case OBJECT_CHANNEL_TRYREAD: return read_step(op == OBJECT_CHANNEL_READ, argument);
	default: return write_step(op == OBJECT_CHANNEL_WRITE, argument);
	}
}
