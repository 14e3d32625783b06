/* SPDX-License-Identifier: ISC */
/* file.h - operations on pipes, sockets and eventfds. An error is a negative errno. */
#ifndef KERNEL_FILE_H
#define KERNEL_FILE_H

#include "kernel/descriptor.h"
#include "object/channel.h"

enum file_flag {
	FILE_NONBLOCKING = 1 << 0,
	FILE_PEEK = 1 << 1,
};

/* The two ends of a pipe, or a pair of sockets. */
void file_pipe(struct file end[2], bool nonblocking);
void file_pair(struct file end[2], bool messages, bool nonblocking);
struct file file_event(u64 value, bool semaphore, bool nonblocking);

/* At most n bytes; *bytes are they, valid until the execution ends. Returns their number. */
i64 file_read(struct file f, size_t n, u32 flags, const void **bytes);
/* n bytes, or fewer of a stream that does not block. Returns their number; -EPIPE raises no
 * signal. */
i64 file_write(struct file f, const void *bytes, size_t n, u32 flags);

/* The poll() events among `events` that are there now, and always POLLHUP, POLLERR. *edges, may be
 * NULL: a number that changes when one of `events` comes, again or not. */
i32 file_look(struct file f, i32 events, u32 *edges);
/* Bytes that can be read (FIONREAD). */
u32 file_unread(struct file f);
/* The objects that file_look() looks at: their number. */
u32 file_objects(struct file f, i32 events, const void *object[2]);
/* What file_look() would return. Pure. */
i32 file_look_in_memory(struct file f, i32 events, u32 *edges);

/* One more descriptor of it, or one less. */
void file_copied(struct file f);
void file_closed(struct file f);
/* Sockets: no more is read, or written. Returns it with these ends closed. */
struct file file_shut(struct file f, bool in, bool out);

#endif
