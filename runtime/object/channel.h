/* SPDX-License-Identifier: ISC */
/* channel.h - pipes and the directions of sockets; see object.def. */
#ifndef OBJECT_CHANNEL_H
#define OBJECT_CHANNEL_H

#include "object/step.h"

enum channel_kind {
	CHANNEL_PIPE,
	CHANNEL_STREAM, /* AF_UNIX */
	CHANNEL_TCP,
	CHANNEL_PACKETS,   /* messages, with an end: SOCK_SEQPACKET */
	CHANNEL_DATAGRAMS, /* without one */
};

/* Initial and maximum capacity in bytes, as on Linux. A pipe that has room for fewer than
 * CHANNEL_WHOLE bytes (PIPE_BUF) is full; up to so many are written undivided. */
#define CHANNEL_PIPE_ROOM   65536
#define CHANNEL_ROOM_MAX    212992
#define CHANNEL_WHOLE	    4096
#define CHANNEL_MESSAGE_MAX 65536 /* at once */

/* The data that WRITE writes and READ reads: this, then bytes. */
struct channel_message {
	u64 source; /* of a datagram: the number of its address (object/address.h), or 0 */
	u64 passed; /* the number of the descriptors that it passes, states one after the other, or
		       0 */
	u8 byte[];
};

/* Results that are errors: CHANNEL_ERROR + errno. Numbers of bytes are below, those of states
 * above. */
#define CHANNEL_ERROR (1ull << 32)

/* Changed in results of an object with watchers: it has become ready, and they are to be notified.
 * Numbers of states have this bit, others do not. */
#define CHANNEL_NOTIFIES (1ull << 62)

static inline bool channel_notifies(u64 result)
{
	return result >> 60 == 4 || result >> 60 == 11;
}

static inline bool channel_failed(u64 result)
{
	return result >= CHANNEL_ERROR && result < CHANNEL_ERROR + 4096;
}

/* LOOK's result; above: the bytes that a read would find, the numbers of edges for readers
 * and for writers (modulo CHANNEL_EDGES), and enum channel_kind. */
enum channel_look {
	CHANNEL_READABLE = 1 << 0,  /* a read does not wait */
	CHANNEL_WRITABLE = 1 << 1,  /* a write does not wait */
	CHANNEL_UNREAD = 1 << 2,    /* it has no reader any more */
	CHANNEL_UNWRITTEN = 1 << 3, /* no writer writes to it any more */
	CHANNEL_CLOSED = 1 << 4,    /* it has no descriptor for writing any more */
	CHANNEL_RESET = 1 << 5,	    /* an error is pending: a read or a write will fail */
	CHANNEL_SHUT = 1 << 6,	    /* its writers have shut it down; AF_UNIX, but for datagrams: or
				     * its readers */
	CHANNEL_ENDED = 1 << 7,	    /* TCP: a reset has ended the connection */
	CHANNEL_LOOK_BYTES = 8,	    /* <<, 24 bits */
	CHANNEL_LOOK_ARRIVALS = 32, /* << */
	CHANNEL_LOOK_DRAINS = 44,   /* << */
	CHANNEL_LOOK_KIND = 56,	    /* << */
};

#define CHANNEL_EDGES 4096

static inline u32 channel_unread(u64 look)
{
	return (u32)(look >> CHANNEL_LOOK_BYTES) & 0xffffff;
}

static inline u32 channel_arrivals(u64 look)
{
	return (u32)(look >> CHANNEL_LOOK_ARRIVALS) % CHANNEL_EDGES;
}

static inline u32 channel_drains(u64 look)
{
	return (u32)(look >> CHANNEL_LOOK_DRAINS) % CHANNEL_EDGES;
}

static inline enum channel_kind channel_kind_of(u64 look)
{
	return (enum channel_kind)(look >> CHANNEL_LOOK_KIND);
}

/* The argument of READ: at most n bytes; peek: they stay (MSG_PEEK). */
static inline u64 channel_read_argument(size_t n, bool peek)
{
	return (n < CHANNEL_ROOM_MAX ? n : CHANNEL_ROOM_MAX) | (u64)peek << 32;
}

/* The argument of ENDS: a change by 1, 0 or -1 of the readers; of the writers; a reset for the
 * readers. */
static inline u64 channel_ends(int readers, int writers, bool reset)
{
	return (u16)readers | (u64)(u16)writers << 16 | (u64)reset << 32;
}

/* The argument of ERROR: the errors of a writer only, which TCP has when its bytes are answered by
 * a reset. */
#define CHANNEL_OF_WRITER 1

/* The argument of SHUT. */
enum channel_shut { CHANNEL_SHUT_READ = 1, CHANNEL_SHUT_WRITE = 2, CHANNEL_SHUT_BOTH = 3 };

/* The state of a new channel with one end of each kind; name: of the reading end
 * (object/address.h), or 0. */
u64 channel_new(enum channel_kind kind, u64 name);

OBJECT_STEP(channel);

#endif
