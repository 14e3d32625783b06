/* SPDX-License-Identifier: ISC */
/*
 * channel.c - see channel.h.
 *
 * A state is the number of a struct channel (state_table.h), its bytes in their order. Each message
 * has its size, 4 bytes, in front; a stream has no messages.
 *
 * A write of a message that is too large, or to a stream of more than there is room for, writes as
 * many bytes as fit; one of at most CHANNEL_ROOM bytes is not divided (PIPE_BUF).
 */
#include "object/channel.h"
#include "object/state_table.h"

#include <errno.h>

struct channel {
	u16 readers, writers;
	u32 messages; /* bool */
	u32 n;
	u16 arrivals, drains; /* modulo CHANNEL_EDGES */
	u8 byte[CHANNEL_MESSAGE_MAX + 8];
};

#define HEAD offsetof(struct channel, byte)

/* What it has been made from its number, and the next state. */
static struct channel now;

static u64 intern_channel(const struct channel *c)
{
	return state_intern(c, (u32)HEAD + c->n);
}

/* The state after something that the readers, or the writers, wait for. */
static u64 after(bool arrives, bool drains)
{
	now.arrivals = (now.arrivals + arrives) % CHANNEL_EDGES;
	now.drains = (now.drains + drains) % CHANNEL_EDGES;
	return intern_channel(&now);
}

u64 channel_new(bool messages)
{
	struct channel c;

	__builtin_memset(&c, 0, HEAD);
	c.readers = c.writers = 1;
	c.messages = messages;
	return intern_channel(&c);
}

/* False: no state of a channel; a damaged file may ask for one. */
static bool load_channel(u64 state)
{
	u32 size;
	const void *bytes = state_of(state, &size);

	if (!bytes || size < HEAD || size > sizeof now)
		return false;
	__builtin_memcpy(&now, bytes, size);
	return now.n == size - HEAD;
}

static u32 first_message(void)
{
	u32 size = now.n;

	if (now.messages && now.n >= sizeof size)
		__builtin_memcpy(&size, now.byte, sizeof size);
	return size <= now.n ? size : now.n;
}

/* The first `gone` bytes have been read. */
static void drop(u32 gone)
{
	now.n -= gone;
	__builtin_memmove(now.byte, now.byte + gone, now.n);
}

static struct object_step read_step(bool waits, u64 argument)
{
	u32 head = now.messages ? 4 : 0, size = first_message(), n = (u32)argument;
	struct object_step s;

	if (!now.n && now.writers)
		return waits ? step_waits() : step_reads(CHANNEL_ERROR + EAGAIN);
	if (!now.n) {
		s = step_reads(0);
		s.acquire = true;
		return s;
	}
	n = n < size ? n : size;
	s = step_acquires(0, state_intern(now.byte + head, n));
	s.writes = !(argument >> 32);
	if (s.writes) {
		drop(head ? head + size : n);
		s.next = after(false, true);
	}
	return s;
}

static u32 room(void)
{
	return now.n < CHANNEL_ROOM ? CHANNEL_ROOM - now.n : 0;
}

static struct object_step write_step(bool waits, u64 argument)
{
	u32 size, head = now.messages ? 4 : 0;
	const void *bytes = state_of(argument, &size);
	struct object_step s;

	if (!bytes || size > CHANNEL_MESSAGE_MAX)
		return step_reads(CHANNEL_ERROR + EINVAL);
	if (!now.readers)
		return step_reads(CHANNEL_ERROR + EPIPE);
	if (size + head > room() && now.n && (now.messages || size <= CHANNEL_ROOM || !room()))
		return waits ? step_waits() : step_reads(CHANNEL_ERROR + EAGAIN);
	if (!now.messages && size > room())
		size = room();
	__builtin_memcpy(now.byte + now.n, &size, head);
	__builtin_memcpy(now.byte + now.n + head, bytes, size);
	now.n += head + size;
	s = step_releases(after(true, false));
	s.result = size;
	return s;
}

static struct object_step ends_step(u64 argument)
{
	now.readers = (u16)(now.readers + argument);
	now.writers = (u16)(now.writers + (argument >> 16));
	return step_releases(after(true, true));
}

static struct object_step look_step(void)
{
	struct object_step s;
	u64 look = 0;

	look |= now.n || !now.writers ? CHANNEL_READABLE : 0;
	look |= room() || !now.readers ? CHANNEL_WRITABLE : 0;
	look |= !now.readers ? CHANNEL_UNREAD : 0;
	look |= !now.writers ? CHANNEL_UNWRITTEN : 0;
	look |= (u64)(now.messages ? first_message() : now.n) << CHANNEL_LOOK_BYTES;
	look |= (u64)now.arrivals << CHANNEL_LOOK_ARRIVALS;
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
	case OBJECT_CHANNEL_READ:
	case OBJECT_CHANNEL_TRYREAD: return read_step(op == OBJECT_CHANNEL_READ, argument);
	default: return write_step(op == OBJECT_CHANNEL_WRITE, argument);
	}
}
