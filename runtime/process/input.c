/* SPDX-License-Identifier: ISC */
/*
 * input.c - see input.h.
 *
 * stdin gets a buffer of ours: one that the C library allocated in an execution would lie in memory
 * that the next execution uses otherwise.
 */
#include "process/input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

static off_t start = -1; /* -1: it cannot be read again */
static bool past_stdio;
static int saved = -1; /* a copy of the descriptor, if the program has ever replaced it */
static bool replaced;  /* in this execution */
static char buffer[1 << 12];

/* Discards the C library's buffer. */
static void go_to_start(void)
{
	fseeko(stdin, start, SEEK_SET); /* discards what ungetc() has put back, too */
	setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
	clearerr(stdin);
	past_stdio = false;
}

void input_begin(void)
{
	struct stat st;

	start = fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) ? ftello(stdin) : -1;
	if (start >= 0)
		go_to_start();
}

bool input_is_read(void)
{
	past_stdio = true;
	return start >= 0;
}

void input_forked(void)
{
	int fd = start >= 0 ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	close(fd);
	go_to_start();
}

void input_redirect(void)
{
	if (saved < 0)
		saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 200);
	replaced = true;
}

static void restore_input(void)
{
	if (saved < 0)
		return;
	dup2(saved, STDIN_FILENO);
	replaced = false;
	if (start < 0) {
		__fpurge(stdin);
		clearerr(stdin);
	} else {
		go_to_start();
	}
}

static bool has_been_read(void)
{
	return past_stdio || stdin->_IO_read_end != stdin->_IO_read_base || feof_unlocked(stdin) ||
	       ferror_unlocked(stdin) || stdin->_IO_save_base;
}

void input_end(void)
{
	if (unlikely(replaced))
		restore_input();
	if (unlikely(start >= 0 && has_been_read()))
		go_to_start();
}
