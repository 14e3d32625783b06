/* SPDX-License-Identifier: ISC */
/*
 * io.h - descriptors and streams of the running execution.
 *
 * Descriptors opened by an execution are closed at its end, so that the same descriptors are free
 * in the next one. Those open before stay open: closing them is only simulated. A *channel* is a
 * descriptor of this execution through which its own threads can only reach each other (a pipe, a
 * socket, an eventfd): no other process will ever make it ready, and waiting for it is refused.
 */
#ifndef INTERCEPT_IO_H
#define INTERCEPT_IO_H

#include "base/base.h"

#include <stdio.h>

/* A system call has returned this descriptor; also passes errors through. */
int io_opened(int fd);
int io_opened_channel(int fd);

bool io_is_own(int fd);
bool io_is_channel(int fd);
void io_closed(int fd);

/* At the end of an execution: shared memory that it has made, and not removed. */
void io_remove_shared(void);

int io_close(int fd); /* close() while exploring */

FILE *io_stream_opened(FILE *f);
bool io_stream_closed(FILE *f); /* false: it was open before this execution */

/* A visible step of the calling thread: files are shared. Its stores reach memory. */
void io_step(void);

/* The calling thread is about to read or write this descriptor: a step; refuses if the call would
 * block for ever. */
void io_before(int fd, short events, const char *call);

/* The calling thread is about to change the contents of this file. An execution graph cannot
 * represent that if the program has also mapped the file. / The same, as a step. */
void io_written(int fd);
void io_changes(int fd);

/* The kernel, or libc, is about to fill this memory. */
struct iovec;
void io_fill(void *to, size_t n);
void io_fill_vector(const struct iovec *v, size_t n);

#endif
