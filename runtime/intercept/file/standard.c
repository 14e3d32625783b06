/* SPDX-License-Identifier: ISC */
/* standard.c - see standard.h. */
#include "intercept/file/standard.h"
#include "intercept/file/descriptor_io.h"
#include "intercept/file/io.h"
#include "intercept/file/pipe_stream.h"
#include "intercept/intercept.h"
#include "kernel/descriptor.h"
#include "machine/learnt.h"
#include "process/input.h"
#include "process/output.h"

#include <stdio_ext.h>

#define STANDARD_OBJECT 0x530000001000u

/* Bits of a stream of glibc's. */
#define UNBUFFERED    0x0002
#define LINE_BUFFERED 0x0200
#define ENDED	      0x0030 /* the end of the file, or an error */

static PER_EXECUTION FILE *instead[3];
static PER_EXECUTION u32 closed; /* a bit each */

void standard_step(int fd)
{
	if (unlikely(learnt_known(LEARNT_STANDARD) >> fd & 1))
		io_step_at(STANDARD_OBJECT + (u64)fd * 8);
}

void standard_changes(int fd)
{
	learnt_add(LEARNT_STANDARD, 1u << fd);
	standard_step(fd);
	closed &= ~(1u << fd);
	if (fd)
		output_redirect(fd);
	else
		input_redirect();
}

void standard_closed(int fd)
{
	closed |= 1u << fd;
}

bool standard_is_closed(int *fd)
{
	*fd = closed ? __builtin_ctz(closed) : -1;
	return closed;
}

/* --- streams --------------------------------------------------------------------------------- */

static FILE *standard_of(int fd)
{
	return fd == 0 ? stdin : fd == 1 ? stdout : stderr;
}

/* The program may have put another stream in the place of the variable. */
static int fd_of_standard(const FILE *f)
{
	int fd = f ? f->_fileno : -1;

	return descriptor_is_standard(fd) && f == standard_of(fd) ? fd : -1;
}

bool standard_is_replaced(const FILE *f)
{
	return f && (f == instead[0] || f == instead[1] || f == instead[2]);
}

FILE *standard_original(FILE *f)
{
	return standard_is_replaced(f) ? standard_of(f->_fileno) : f;
}

/* With the buffer that the program has asked for. */
static void set_mode(FILE *to, const FILE *from)
{
	int mode = UNBUFFERED | LINE_BUFFERED;

	if ((to->_flags & mode) == (from->_flags & mode))
		return;
	real(setvbuf)(to, NULL,
		from->_flags & UNBUFFERED      ? _IONBF
		: from->_flags & LINE_BUFFERED ? _IOLBF
					       : _IOFBF,
		0);
}

static FILE *stream_instead(int fd)
{
	if (!instead[fd])
		instead[fd] = pipe_stream_open(fd, fd ? "w" : "r");
	if (instead[fd] && fd)
		set_mode(instead[fd], standard_of(fd));
	return instead[fd];
}

FILE *standard_stream(FILE *f)
{
	int fd = machine_entered() ? fd_of_standard(f) : -1;
	FILE *other;

	if (fd < 0 || !descriptor_is_ours(fd))
		return f;
	other = stream_instead(fd);
	if (!other)
		return f;
	other->_flags = (other->_flags & ~ENDED) | (f->_flags & ENDED);
	return other;
}

void standard_note_end(FILE *f)
{
	FILE *original = standard_original(f);

	original->_flags = (original->_flags & ~ENDED) | (f->_flags & ENDED);
}

static void move_pending(FILE *from, FILE *to)
{
	size_t n = __fpending(from);

	if (n)
		real(fwrite)(from->_IO_write_base, 1, n, to);
	__fpurge(from);
}

void standard_leaves(int fd)
{
	if (fd && __fpending(standard_of(fd)) && stream_instead(fd))
		move_pending(standard_of(fd), instead[fd]);
}

void standard_returns(int fd)
{
	if (fd && instead[fd])
		move_pending(instead[fd], standard_of(fd));
	descriptor_end(fd);
}
