/* SPDX-License-Identifier: ISC */
/* page.h - the pages of the reference, made of tools/help/NAME.txt (Makefile). */
#ifndef HELP_PAGE_H
#define HELP_PAGE_H

#include <stdbool.h>
#include <string.h>

struct page {
	const char *name, *text;
};

/* By name; the last one has none. */
extern const struct page pages[];

/* Is it about a detector? Others are topics. */
static inline bool page_is_detector(const struct page *p)
{
	return strstr(p->text, "\nFinds: ");
}

#endif
