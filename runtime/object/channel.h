/* SPDX-License-Identifier: ISC */
/* channel.h - pipes and the directions of sockets; see object.def. */
#ifndef OBJECT_CHANNEL_H
#define OBJECT_CHANNEL_H

#include "object/step.h"

/* Bytes in it: what every system has (PIPE_BUF on Linux). A larger message fits when there is no
 * other. */
#define CHANNEL_ROOM	    4096
#define CHANNEL_MESSAGE_MAX 16384

/* Results that are errors: CHANNEL_ERROR + errno. Numbers of bytes are below, those of states
 * above. */
#define CHANNEL_ERROR (1ull << 32)

static inline bool channel_failed(u64 result)
{
	return result >= CHANNEL_ERROR && result < CHANNEL_ERROR + 4096;
}

/* LOOK's result; above: the bytes that a read would find, and how often what the readers wait for
 * has come, and what the writers wait for (modulo CHANNEL_EDGES). */
enum channel_look {
	CHANNEL_READABLE = 1 << 0, /* a read does not wait */
	CHANNEL_WRITABLE = 1 << 1, /* a write does not wait */
	CHANNEL_UNREAD = 1 << 2,   /* nothing reads it any more */
	CHANNEL_UNWRITTEN = 1 << 3, /* nothing writes it any more */
	CHANNEL_LOOK_BYTES = 8,	   /* <<, 24 bits */
	CHANNEL_LOOK_ARRIVALS = 32, /* << */
	CHANNEL_LOOK_DRAINS = 44,   /* << */
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

/* The argument of READ: at most n bytes, which stay there (MSG_PEEK). */
static inline u64 channel_read_argument(size_t n, bool peek)
{
	return (n < CHANNEL_MESSAGE_MAX ? n : CHANNEL_MESSAGE_MAX) | (u64)peek << 32;
}

/* The argument of ENDS: 1, 0 or -1 more that read; that write. */
static inline u64 channel_ends(int readers, int writers)
{
	return (u16)readers | (u64)(u16)writers << 16;
}

/* The state of a new one with an end each. */
u64 channel_new(bool messages);

OBJECT_STEP(channel);

#endif
