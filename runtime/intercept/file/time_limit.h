/* SPDX-License-Identifier: ISC */
/* time_limit.h - SO_RCVTIMEO and SO_SNDTIMEO of sockets between threads. */
#ifndef INTERCEPT_FILE_TIME_LIMIT_H
#define INTERCEPT_FILE_TIME_LIMIT_H

#include "kernel/file.h"

/* file_read() of the socket that is open at fd, until its limit: then -EAGAIN. */
i64 time_limited_read(
	int fd, struct file f, size_t n, u32 flags, const struct channel_message **m);

/* socket_accept(), likewise. The new socket has the same limits. */
i32 time_limited_accept(
	int fd, struct file f, bool nonblocking, struct file *accepted, u64 *peer);

/* A call that sends to f with these flags begins: the time when it fails; 0: never. / Wait until
 * the socket at fd can be written: 0, or -EAGAIN at that time, or another negative errno. */
u64 time_limit_of_send(struct file f, u32 flags);
int time_limited_room(int fd, u64 deadline);

/* Set or get the limit, in nanoseconds; 0: none. */
void time_limit_set(int fd, struct file f, enum descriptor_limit which, u64 ns);
u64 time_limit(struct file f, enum descriptor_limit which);

#endif
