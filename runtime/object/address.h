/* SPDX-License-Identifier: ISC */
/* address.h - addresses of the program's sockets: paths, ports of the loopback interface; see
 * object.def. */
#ifndef OBJECT_ADDRESS_H
#define OBJECT_ADDRESS_H

#include "object/step.h"

#include <sys/socket.h>

#define ADDRESS_SOCKETS 64
#define ADDRESS_BYTES	112 /* sockaddr_un, and more than sockaddr_in6 */

/* As in the program; the rest is 0. */
struct address {
	u32 type;   /* SOCK_STREAM ...: each type has its own ports */
	u32 length; /* of `bytes', a struct sockaddr */
	u8 bytes[ADDRESS_BYTES];
};

/* The argument of BIND. */
struct address_entry {
	u64 address; /* its number (state_table.h) */
	u32 socket;  /* the number of its object; 0: a path that is left in the file system */
	u32 channel; /* target of datagrams, or 0 */
};

/* FIND's result; a greater one: a socket. */
enum { ADDRESS_NONE, ADDRESS_LEFT /* a path, but no socket */ };

static inline u64 address_found(u32 socket, u32 channel)
{
	return socket ? socket | (u64)channel << 32 | 1ull << 56 : ADDRESS_LEFT;
}

static inline u32 address_channel(u64 found)
{
	return found >> 32 & 0xffffff;
}

/* NULL: no address has this number. */
const struct address *address_of(u64 number);
u64 address_intern(const struct address *a);

static inline int address_domain(const struct address *a)
{
	return ((const struct sockaddr *)(const void *)a->bytes)->sa_family;
}

/* A name in the file system, not an abstract one. */
static inline bool address_is_path(const struct address *a)
{
	return address_domain(a) == AF_UNIX && a->bytes[sizeof(sa_family_t)];
}

u32 address_port(const struct address *a);
void address_set_port(struct address *a, u32 port);
/* 127.0.0.0/8, ::1, or unspecified: reachable without a network. */
bool address_is_local(const struct address *a);
bool address_is_any(const struct address *a);

OBJECT_STEP(address);

#endif
