/* SPDX-License-Identifier: ISC */
/*
 * io.h - descriptors and streams of the running execution.
 *
 * Descriptors opened by an execution are closed at its end, so that the same descriptors are free
 * in the next one. Those open before stay open: closing them is only simulated. A *channel* is a
 * descriptor of this execution that connects only its own threads (a pipe, a socket, an eventfd):
 * no other process will ever make it ready, and waiting for it is refused.
 */
#ifndef INTERCEPT_FILE_IO_H
#define INTERCEPT_FILE_IO_H

#include "event/event.h"

#include <stdio.h>

/* A system call has returned this descriptor; errors are passed through. */
int io_opened(int fd);
int io_opened_channel(int fd);

/* The same for a regular file: its number depends only on the calling thread's earlier calls.
 * object: io_step_at()'s; node: of the layer, or IO_OUTSIDE. -1 and errno if fd is negative. */
#define IO_OUTSIDE UINT32_MAX
int io_opened_file(int fd, u32 node, u64 object);
/* From now on, descriptors of the outside file with this number belong to this file of the
 * layer. */
void io_upgrade(u64 object, u32 node);
/* The file of the layer that is open there, or IO_OUTSIDE. */
u32 io_node(int fd);
/* A copy of descriptor `from` has been made; / where the calling thread opens files. */
int io_copied(int fd, int from);
/* The same of standard descriptor fd, which stays open at the end. */
void io_stands_in(int fd, int from);
int io_numbered(int fd);

bool io_is_own(int fd);
bool io_is_channel(int fd);
void io_closed(int fd);

int io_close(int fd); /* close() while exploring */
int io_remove(const char *path); /* unlink() */

FILE *io_stream_opened(FILE *f);
/* A step of a thread that uses this stream; no step for the terminal's streams, and those in
 * memory. */
void io_stream_step(FILE *f);
bool io_stream_closed(FILE *f); /* false: it was open before this execution */

/* A visible step of the calling thread, as files are shared. Its stores reach memory. */
void io_step(void);
/* The same, ordered only with steps at the same number: of a path, or of the file open there. */
void io_step_at(u64 object);
void io_step_of(int fd);
/* Record that it has read or written n bytes; -1: errno. Returns n. */
ssize_t io_moved(enum event_kind kind, int fd, ssize_t n);
/* The same for close(). */
void io_step_to_close(int fd);
/* flock() of a file that the execution has opened: 0 or a negative errno; -ENOTSUP: another
 * file. */
int io_lock(int fd, int operation);

/* The calling thread is about to read or write this descriptor: a step; refuses if the call would
 * block for ever. */
void io_before(int fd, short events, const char *call);

/* The calling thread is about to change the contents of this file. An execution graph cannot
 * represent that if the program has also mapped the file. / The same, as a step. */
void io_written(int fd);
void io_changes(int fd);

/* The kernel, or libc, is about to fill this memory; NULL: none. */
struct iovec;
void io_fill(void *to, size_t n);
void io_fill_vector(const struct iovec *v, size_t n);
/*
 * The same where instrumented code calls the interceptor: the thread writes what it receives. / The
 * kernel, or libc, is about to read this memory: so does the thread.
 */
#define io_receive(to, n) \
	io_receive_for(__builtin_return_address(0), (u64)(uintptr_t)__builtin_dwarf_cfa(), to, n)
#define io_take(from, n)      io_take_for(__builtin_return_address(0), from, n)
#define io_take_vector(v, n)  io_take_vector_for(__builtin_return_address(0), v, n)
#define io_take_text(s)	      io_take_text_for(__builtin_return_address(0), s)
void io_receive_for(const void *caller, u64 sp, void *to, size_t n);
void io_take_for(const void *caller, const void *from, size_t n);
void io_take_vector_for(const void *caller, const struct iovec *v, size_t n);
void io_take_text_for(const void *caller, const char *s);

#endif
