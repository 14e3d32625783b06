/* SPDX-License-Identifier: ISC */
/* page.h - the pages of the reference, made of tools/help/NAME.txt (Makefile). */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

struct page {
	const char *name, *text;
};

/* By name; the last one has none. */
extern const struct page pages[];

#endif
