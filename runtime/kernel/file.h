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
void file_pair(struct file end[2], enum channel_kind kind, bool nonblocking);
struct file file_event(u64 value, bool semaphore, bool nonblocking);

/* Read at most n bytes, or a whole message; *m holds them until the execution ends; NULL: end of
 * file. Returns their number. */
i64 file_read(struct file f, size_t n, u32 flags, const struct channel_message **m);
/* Write n bytes, or fewer to a stream that does not block. Returns their number; -EPIPE raises no
 * signal. Changes *m. */
i64 file_write(struct file f, struct channel_message *m, u32 n, u32 flags);
/* The same to a channel, in one step. */
i64 file_write_channel(u32 number, const struct channel_message *m, u32 n, bool waits);

/* The poll() events among `events` that are ready now, and always POLLHUP, POLLERR. *edges, may be
 * NULL: a number that changes whenever one of `events` occurs, again or not. */
i32 file_look(struct file f, i32 events, u32 *edges);
/* Bytes that can be read (FIONREAD). */
u32 file_unread(struct file f);
/* The objects that file_look() reads; returns their number. */
u32 file_objects(struct file f, i32 events, const void *object[2]);
/* The result that file_look() would return. Pure. */
i32 file_look_in_memory(struct file f, i32 events, u32 *edges);

/* The objects of the file notify an epoll instance (watch.h): all but timers, signals and
 * instances. */
void file_watch(struct file f, u32 epoll);

/* The file gets one more descriptor, or one less. */
void file_copied(struct file f);
void file_closed(struct file f);
/* A socket with these channels is closed; reset: even if no data is left unread. */
void file_close_socket(u32 in, u32 out, bool reset);
/* Sockets: no more is read, or written. */
i32 file_shut(struct file f, bool in, bool out);
int file_pair_type(struct file f); /* SOCK_STREAM ..., of a pair */
/* Of TCP: by a reset, or by both ends: it has no peer any more. */
bool file_connection_ended(struct file f);
/* A socket's pending error, or 0. */
u32 file_error(struct file f);
/* Set the capacity of a pipe in bytes; 0: leave it. Returns the capacity. */
i64 file_resize(struct file f, u32 size);

#endif
