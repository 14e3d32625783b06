/* SPDX-License-Identifier: ISC */
/* die.c - one line on stderr in one write, then exit. */
#include "die.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

const char *die_name = "heddle";

/* Control characters in names and paths must not reach the terminal. */
static void say_line(const char *format, va_list ap)
{
	char line[2048];
	size_t n = (size_t)snprintf(line, 64, "%.60s: ", die_name);
	int more = vsnprintf(line + n, sizeof(line) - n - 1, format, ap);
	ssize_t written;

	if (more > 0)
		n += (size_t)more < sizeof(line) - n - 1 ? (size_t)more : sizeof(line) - n - 2;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f ||
			(line[i] == '\xc2' && i + 1 < n && (unsigned char)line[i + 1] < 0xa0))
			line[i] = '?';
	line[n++] = '\n';
	fflush(stdout);
	written = write(STDERR_FILENO, line, n);
	(void)written; /* an error here cannot be reported */
}

void die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(format, ap);
	va_end(ap);
	exit(EXIT_USAGE);
}

void warn(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say_line(format, ap);
	va_end(ap);
}

void stop_bug(const char *file, int line, const char *what)
{
	warn("a bug in heddle itself, at %s:%d: %s", file, line, what);
	_exit(EXIT_BUG);
}

void *xmalloc(size_t n)
{
	void *p = calloc(1, n ? n : 1);

	if (!p)
		die("not enough memory for %zu bytes", n);
	return p;
}

void *xgrow(void *p, size_t n)
{
	p = realloc(p, n ? n : 1);
	if (!p)
		die("not enough memory for %zu bytes", n);
	return p;
}
