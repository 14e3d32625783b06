/* SPDX-License-Identifier: ISC */
/* page.h - the page being written. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "html/html.h"
#include "document/result.h"

struct html_page {
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
	/* The address of a finding, by its number; NULL: on this page. */
	const char *(*link)(const struct found *f, unsigned number);
};

/* Begin an element, with a class unless that is NULL or ""; end the innermost one. */
void page_start(struct html_page *p, const char *element, const char *class);
void page_end(struct html_page *p);

/* An element with a text. */
void page_put(struct html_page *p, const char *element, const char *class, const char *text);

/* --- page.c ---------------------------------------------------------------------------------- */

/* Begin the document and its header, which is left open; end it. */
void page_begin(struct html_page *p, const char *title);
void page_close(struct html_page *p);

/* The tests, a line each. */
void page_tests(struct html_page *p);

/* A whole page, with a link to an index unless that is NULL. */
void page_write(const struct results *all, const char *index, FILE *out);

/* --- reached.c ------------------------------------------------------------------------------- */

/* The coverage of a search that was asked for it. */
void page_reached(struct html_page *p, const struct summary *s);

/* --- steps.c --------------------------------------------------------------------------------- */

void page_steps(struct html_page *p);

/* --- passing.c ------------------------------------------------------------------------------- */

/* The finding beside a passing execution. */
void page_passing(struct html_page *p, const struct report *passing);

#endif
