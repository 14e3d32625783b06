/* SPDX-License-Identifier: ISC */
/* page.h - the page being written. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "html/html.h"
#include "report/result.h"

struct page {
	struct xml *to;
	const struct results *all;
	struct report *r;
	struct excerpts *excerpts;
	unsigned number; /* of the finding, 1 first */
	u32 *column;	 /* by thread, + 1 */
	u32 *threads;	 /* by column */
	unsigned ncolumns;
	bool shared; /* one column for all threads */
	bool open; /* an element that a callback has begun */
};

/* Begin an element, with a class unless that is NULL or ""; end the innermost one. */
void page_start(struct page *p, const char *element, const char *class);
void page_end(struct page *p);

/* An element with a text. */
void page_put(struct page *p, const char *element, const char *class, const char *text);

/* --- steps.c --------------------------------------------------------------------------------- */

void page_steps(struct page *p);

#endif
