/* SPDX-License-Identifier: ISC */
/* xstring.c - strings that are allocated by xmalloc(), see die.h. */
#include "die.h"

#include <stdio.h>
#include <string.h>

char *xstrdup(const char *s)
{
	return strcpy(xmalloc(strlen(s) + 1), s);
}

char *xprintf(const char *format, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		die("a line is too long");
	s = xmalloc((size_t)n + 1);
	va_start(ap, format);
	vsnprintf(s, (size_t)n + 1, format, ap);
	va_end(ap);
	return s;
}
