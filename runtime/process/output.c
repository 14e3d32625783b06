/* SPDX-License-Identifier: ISC */
/*
 * output.c - see output.h.
 *
 * stdout gets a buffer of ours, so that most output never becomes a system call: it is discarded
 * at the end of the execution (or written out, when the execution is captured).
 */
#include "process/output.h"
#include "process/stop.h"
#include "process/pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEEP_MAX (256 * 1024) /* bytes of output kept for a report, a stream */

static struct output_stream {
	FILE *own; /* stdout, stderr; a wrong program may overwrite those variables */
	int real, sink, file; /* saved descriptor, /dev/null, memfd */
	char *text;
	size_t n;
	char *first;
	size_t nfirst;
} stream[3];

static bool capturing, have_first;
static bool redirected; /* by the program, in this execution */
static char stdout_buffer[1 << 16];

/* Out of the way of the program's own descriptors. */
static int high(int fd)
{
	int up = fcntl(fd, F_DUPFD_CLOEXEC, 200);

	if (up < 0)
		return fd;
	if (fd > 2)
		close(fd);
	return up;
}

void output_begin(void)
{
	stream[1].own = stdout;
	stream[2].own = stderr;
	fflush(stdout);
	fflush(stderr);
	have_first = false;
	for (int fd = 1; fd <= 2; fd++) {
		struct output_stream *s = &stream[fd];

		s->real = high(dup(fd));
		s->sink = high(open("/dev/null", O_WRONLY | O_CLOEXEC));
		s->file = high(memfd_create("heddle-output", MFD_CLOEXEC));
		if (!s->text)
			s->text = pages_take(KEEP_MAX);
		if (!s->first)
			s->first = pages_take(KEEP_MAX);
		dup2(s->sink, fd);
	}
	stop_fd = stream[2].real;
	setvbuf(stdout, stdout_buffer, _IOFBF, sizeof stdout_buffer);
	output_capture();
}

void output_capture(void)
{
	capturing = true;
	for (int fd = 1; fd <= 2; fd++) {
		if (ftruncate(stream[fd].file, 0) == 0)
			lseek(stream[fd].file, 0, SEEK_SET);
		dup2(stream[fd].file, fd);
	}
}

void output_forked(void)
{
	for (int fd = 1; fd <= 2; fd++) {
		close(stream[fd].file);
		stream[fd].file = high(memfd_create("heddle-output", MFD_CLOEXEC));
	}
	have_first = true;
}

static void collect_stream(struct output_stream *s, int fd)
{
	ssize_t n = pread(s->file, s->text, KEEP_MAX, 0);

	s->n = n > 0 ? (size_t)n : 0;
	dup2(s->sink, fd);
	if (have_first)
		return;
	memcpy(s->first, s->text, s->n);
	s->nfirst = s->n;
}

void output_redirect(int fd)
{
	redirected |= fd > 0;
}

static void undo_redirections(void)
{
	for (int fd = 1; fd <= 2; fd++)
		dup2(capturing ? stream[fd].file : stream[fd].sink, fd);
	redirected = false;
}

void output_end(void)
{
	if (likely(!capturing)) {
		if (unlikely(__fpending(stream[1].own)))
			__fpurge(stream[1].own);
		if (unlikely(redirected))
			undo_redirections();
		return;
	}
	fflush(stream[1].own);
	redirected = false;
	for (int fd = 1; fd <= 2; fd++)
		collect_stream(&stream[fd], fd);
	capturing = false;
	have_first = true;
}

const char *output_text(int fd, size_t *n)
{
	*n = stream[fd].n;
	return stream[fd].text;
}

static void write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(fd, text, n);

		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

/* The first execution may have ended within a line; Heddle's notes begin a new one. */
static void write_lines(int fd, const char *text, size_t n)
{
	write_all(fd, text, n);
	if (n && text[n - 1] != '\n')
		write_all(fd, "\n", 1);
}

void output_restore(bool show_first)
{
	__fpurge(stream[1].own);
	stop_fd = 2;
	for (int fd = 1; fd <= 2; fd++) {
		struct output_stream *s = &stream[fd];

		dup2(s->real, fd);
		close(s->real);
		close(s->sink);
		close(s->file);
		if (show_first)
			write_lines(fd, s->first, s->nfirst);
	}
}
