/* SPDX-License-Identifier: ISC */
/* time_limit.h - SO_RCVTIMEO of sockets between threads. */
#ifndef INTERCEPT_FILE_TIME_LIMIT_H
#define INTERCEPT_FILE_TIME_LIMIT_H

#include "kernel/file.h"

/* file_read() of the socket that is open at fd, until its limit: then -EAGAIN. */
i64 time_limited_read(
	int fd, struct file f, size_t n, u32 flags, const struct channel_message **m);

/* socket_accept(), likewise. The new socket has the same limit. */
i32 time_limited_accept(
	int fd, struct file f, bool nonblocking, struct file *accepted, u64 *peer);

/* Set or get the limit, in nanoseconds; 0: none. */
void time_limit_set(int fd, struct file f, u64 ns);
u64 time_limit(struct file f);

#endif
