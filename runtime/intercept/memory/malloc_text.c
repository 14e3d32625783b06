/* SPDX-License-Identifier: ISC */
/*
 * malloc_text.c - functions of libc that return a new block to the program.
 *
 * libc's own functions would call malloc() from inside libc, and heap.c would take the block for
 * one of libc's, which are not restored; and its address would differ between executions. So the
 * block is allocated here, on behalf of the caller. (Others that return blocks, such as scandir()
 * or getaddrinfo(), use libc's.) Their input may be in the thread's buffer, so it drains.
 */
#include "intercept/intercept.h"
#include "intercept/file/io.h"
#include "intercept/file/standard.h"
#include "heap/heap.h"
#include "machine/machine.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLER	   __builtin_return_address(0)
#define LINE_FIRST 120 /* bytes of a line at first, as in glibc */

static void *new_text_block(size_t size, const void *caller)
{
	void *p = heap_alloc(size, HEAP_ALIGNMENT, false, caller);

	if (!p)
		errno = ENOMEM;
	return p;
}

static void drain(void)
{
	if (machine_entered())
		machine_drain();
}

/* --- copies of strings ------------------------------------------------------------------------ */

/* The length is read from memory after a drain, then the bytes by plain accesses, as the string may
 * be shared. */
static char *duplicate(const char *s, size_t most, const void *caller)
{
	size_t n;
	char *p;

	drain();
	n = strnlen(s, most);
	p = new_text_block(n + 1, caller);
	if (!p)
		return NULL;
	if (machine_entered())
		machine_read(p, s, n);
	else
		memcpy(p, s, n);
	p[n] = 0;
	return p;
}

INTERCEPT char *strdup(const char *s)
{
	return duplicate(s, PTRDIFF_MAX, CALLER);
}

INTERCEPT char *strndup(const char *s, size_t most)
{
	return duplicate(s, most, CALLER);
}

/* --- formatted text --------------------------------------------------------------------------- */

static int format_new(char **to, const char *format, va_list list, const void *caller)
{
	char text[256], *p;
	va_list again;
	int n;

	drain();
	va_copy(again, list);
	n = vsnprintf(text, sizeof(text), format, list);
	p = n < 0 ? NULL : new_text_block((size_t)n + 1, caller);
	if (p && n < (int)sizeof(text))
		memcpy(p, text, (size_t)n + 1);
	else if (p)
		vsnprintf(p, (size_t)n + 1, format, again);
	va_end(again);
	if (!p)
		return -1;
	*to = p;
	return n;
}

INTERCEPT int vasprintf(char **to, const char *format, va_list list)
{
	return format_new(to, format, list, CALLER);
}

INTERCEPT int asprintf(char **to, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = format_new(to, format, list, CALLER);
	va_end(list);
	return n;
}

/* Their names under _FORTIFY_SOURCE. */
INTERCEPT int __vasprintf_chk(char **to, int flag, const char *format, va_list list);
INTERCEPT int __vasprintf_chk(char **to, int flag, const char *format, va_list list)
{
	return format_new(to, format, list, CALLER);
}

INTERCEPT int __asprintf_chk(char **to, int flag, const char *format, ...);
INTERCEPT int __asprintf_chk(char **to, int flag, const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = format_new(to, format, list, CALLER);
	va_end(list);
	return n;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* libc enlarges the block by realloc(), which keeps its kind. */
static ssize_t read_text_line(char **line, size_t *n, int end, FILE *f, const void *caller)
{
	f = standard_stream(f);
	io_stream_step(f);
	if (line && n && !*line) {
		*line = new_text_block(LINE_FIRST, caller);
		if (!*line)
			return -1;
		*n = LINE_FIRST;
	}
	return real(getdelim)(line, n, end, f);
}

INTERCEPT ssize_t getdelim(char **line, size_t *n, int end, FILE *f)
{
	return read_text_line(line, n, end, f, CALLER);
}

INTERCEPT ssize_t getline(char **line, size_t *n, FILE *f)
{
	return read_text_line(line, n, '\n', f, CALLER);
}

/* Called by getline() as inlined by glibc's headers. */
INTERCEPT ssize_t __getdelim(char **line, size_t *n, int end, FILE *f);
INTERCEPT ssize_t __getdelim(char **line, size_t *n, int end, FILE *f)
{
	return read_text_line(line, n, end, f, CALLER);
}

/* --- paths ------------------------------------------------------------------------------------ */

static char *new_path(const char *path, const void *caller)
{
	char *p = path ? new_text_block(strlen(path) + 1, caller) : NULL;

	return p ? strcpy(p, path) : NULL;
}

INTERCEPT char *getcwd(char *to, size_t size)
{
	char path[PATH_MAX];

	drain();
	if (to) {
		io_fill(to, size < sizeof path ? size : sizeof path);
		return real(getcwd)(to, size);
	}
	if (!size || size > sizeof(path))
		size = sizeof(path);
	return new_path(real(getcwd)(path, size), CALLER);
}

INTERCEPT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

INTERCEPT char *realpath(const char *path, char *to)
{
	char resolved[PATH_MAX];

	drain();
	if (to)
		return real(realpath)(path, to);
	return new_path(real(realpath)(path, resolved), CALLER);
}
