/* SPDX-License-Identifier: ISC */
/* endpoint.h - sockets made by socket(): with an address, a peer, connections to accept; see
 * object.def. */
#ifndef OBJECT_ENDPOINT_H
#define OBJECT_ENDPOINT_H

#include "object/channel.h"

#define ENDPOINT_QUEUE 64

/* Options: its close is a reset (SO_LINGER, 0 seconds); its address is listed; epoll instances
 * watch it, and are to be notified as by a channel (channel_notifies()). */
#define ENDPOINT_ABORTS	 1
#define ENDPOINT_LISTED	 2
#define ENDPOINT_WATCHED 4

enum endpoint_phase { ENDPOINT_FRESH, ENDPOINT_LISTENS, ENDPOINT_CONNECTED, ENDPOINT_SHUT };

/* A connection: the numbers of the channels that the accepted socket reads and writes. */
static inline u64 endpoint_connection(u32 in, u32 out)
{
	return in | (u64)out << 24;
}

static inline u32 endpoint_in(u64 connection)
{
	return connection & 0xffffff;
}

static inline u32 endpoint_out(u64 connection)
{
	return connection >> 24 & 0xffffff;
}

struct endpoint {
	u8 domain, type; /* AF_INET ..., SOCK_STREAM ... */
	u8 phase;	 /* enum endpoint_phase */
	u8 error;	 /* of a connection that failed */
	u8 pending;	 /* bool: EINPROGRESS was returned, and no result yet */
	u8 changes;	 /* changes of its phase, modulo 128: an edge */
	u16 copies;	 /* descriptors */
	u64 options;	 /* set by setsockopt(), a bit each */
	u64 name, peer;	 /* numbers of addresses (address.h); 0: none */
	u32 in, out;	 /* numbers of channels; 0: none */
	u32 backlog, n;
	u64 queue[ENDPOINT_QUEUE]; /* n connections that wait to be accepted */
};

/* The socket of a state, valid until the next call; NULL: not a socket. */
const struct endpoint *endpoint_of(u64 state);
u64 endpoint_new(u32 domain, u32 type, u32 in);

/* ACCEPT's result: an error. */
#define ENDPOINT_ERRORS (1ull << 48)

/* The argument of CHANGE: its number. */
struct endpoint_change {
	u64 what; /* enum endpoint_what */
	u64 value, other;
	u64 connection;
};

enum endpoint_what {
	ENDPOINT_NAME,	  /* value: its address; other: is it listed? */
	ENDPOINT_LISTEN,  /* value: the backlog */
	ENDPOINT_CONNECT, /* value: the peer; other: return EINPROGRESS; connection */
	ENDPOINT_FAIL,	  /* value: the error */
	ENDPOINT_COPY,	  /* one more descriptor */
	ENDPOINT_CLOSE,	  /* one less; result 1: the last */
	ENDPOINT_STOP,	  /* it accepts no more connections */
	ENDPOINT_ERROR,	  /* result: the error, thereby reported */
	ENDPOINT_COLLECT, /* result: EISCONN, or 0 once after EINPROGRESS */
	ENDPOINT_OPTION,  /* value: a bit of `options'; other: its new value */
};

OBJECT_STEP(endpoint);

#endif
