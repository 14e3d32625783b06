/* SPDX-License-Identifier: ISC */
/* coverage.c - see coverage.h. */
#include "process/coverage.h"
#include "event/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct status *page;

void coverage_begin(struct status *s)
{
	page = s;
}

void coverage_note(const char *format, ...)
{
	char line[sizeof page->coverage[0]];
	va_list ap;

	if (!page)
		return;
	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	for (unsigned i = 0; i < array_size(page->coverage); i++) {
		if (!page->coverage[i][0])
			strcpy(page->coverage[i], line);
		if (!strcmp(page->coverage[i], line))
			return;
	}
}
