/* SPDX-License-Identifier: ISC */
/*
 * pipe_stream.c - fdopen() of pipes, sockets and other descriptors that threads share: a stream
 * with functions of ours (fopencookie()), which perform the steps of read() and write().
 *
 * A thread that waits in such a step holds the stream's lock, as natively: stream.c's, not libc's,
 * which the end of the execution would find locked.
 */
#include "intercept/file/pipe_stream.h"
#include "intercept/file/descriptor_io.h"
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/standard.h"
#include "heap/heap.h"
#include "machine/wait/interrupt.h"

#include <fcntl.h>
#include <stdio_ext.h>

#define NO_DESCRIPTOR (-2) /* as in a stream of fopencookie() */

/* The cookie is the descriptor. */
static int fd_of_cookie(void *cookie)
{
	return (int)(intptr_t)cookie;
}

static ssize_t read_pipe(void *cookie, char *to, size_t n)
{
	interrupt_point();
	return descriptor_readv(
		__builtin_return_address(0), fd_of_cookie(cookie), &(struct iovec){to, n}, 1, 0);
}

static ssize_t write_pipe(void *cookie, const char *from, size_t n)
{
	ssize_t written;

	interrupt_point();
	written = descriptor_writev(__builtin_return_address(0), fd_of_cookie(cookie),
		&(struct iovec){(void *)(uintptr_t)from, n}, 1, 0);
	return written < 0 ? 0 : written; /* fopencookie()'s error */
}

FILE *pipe_stream_open(int fd, const char *mode)
{
	static const cookie_io_functions_t functions = {.read = read_pipe, .write = write_pipe};
	FILE *f;

	if (!descriptor_is_standard(fd) && descriptor_control(fd, F_GETFL, 0) < 0)
		return NULL;
	heap_expect_stream(true);
	f = fopencookie((void *)(intptr_t)fd, mode, functions);
	heap_expect_stream(false);
	if (f) {
		f->_fileno = fd;
		__fsetlocking(f, FSETLOCKING_BYCALLER);
	}
	return io_stream_opened(f);
}

bool pipe_stream_is(const FILE *f)
{
	return f && (descriptor_is_numbered(f->_fileno) || standard_is_replaced(f));
}

int pipe_stream_close(FILE *f)
{
	int fd = f->_fileno, flushed = real(fflush)(f);

	io_stream_closed(f);
	f->_fileno = NO_DESCRIPTOR;
	real(fclose)(f);
	return descriptor_end(fd) ? -1 : flushed;
}
