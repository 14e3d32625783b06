/* SPDX-License-Identifier: ISC */
/*
 * socket.h - sockets with addresses (socket(), accept()): AF_UNIX, and TCP and UDP over the
 * loopback interface. An error is a negative errno.
 *
 * A socket is an object of its own (object/endpoint.h), which descriptors share; a connection is a
 * pair of channels (object/channel.h).
 */
#ifndef KERNEL_SOCKET_H
#define KERNEL_SOCKET_H

#include "kernel/descriptor.h"
#include "object/address.h"
#include "object/channel.h"
#include "object/endpoint.h"

struct file socket_new(int domain, int type, bool nonblocking);
/* The socket's state. */
const struct endpoint *socket_endpoint(struct file f);
/* Change it; returns the result. */
u64 socket_change(struct file f, enum endpoint_what what, u64 value, u64 other);

i32 socket_bind(struct file f, const struct address *a, bool left);
i32 socket_listen(struct file f, int backlog);
/* limit: the time until which it may wait for room in the backlog; 0: for ever. */
i32 socket_connect(struct file f, const struct address *to, u64 limit);
bool socket_is_connected(struct file f); /* it has a peer: for getpeername() */
/* *peer: its address's number. */
i32 socket_accept(struct file f, bool nonblocking, struct file *accepted, u64 *peer);
i64 socket_send(
	struct file f, const struct address *to, struct channel_message *m, u32 n, u32 flags);
/* A path is removed; false: no socket is bound to it. */
bool socket_unlink(const struct address *a);

/* --- for file.c ------------------------------------------------------------------------------ */

/* The channels of a connection. */
i32 socket_resolve(struct file *f);
void socket_copied(struct file f);
void socket_closed(struct file f);
/* The channels to shut; a listening socket has none. */
i32 socket_shut(struct file *f);

/* It notifies an epoll instance, and so do its channels when it has them. */
void socket_watch(struct file f, u32 epoll);

struct endpoint_look {
	i32 found; /* events of poll(), of a socket without channels */
	u32 edges;
	u64 out; /* in addition to those of channels */
};

/* False: *f has no channels to check. The second one is pure. */
bool socket_look(struct file *f, struct endpoint_look *look);
bool socket_look_in_memory(struct file *f, struct endpoint_look *look);

#endif
