/* SPDX-License-Identifier: ISC */
/*
 * html.h - findings as one self-contained page: no other file, no network.
 *
 * The page is complete without a script: headline, steps with a column a thread, why, repair as a
 * diff, stacks, the source around each step. page.js adds the interaction: the steps that were
 * omitted, and for the selected step its source, stack, relations, store buffers, values and locks,
 * from a JSON document in the page (data.c). Text of the tested program goes through xml.h, which
 * escapes it; in the JSON no `<' is left.
 */
#ifndef HTML_HTML_H
#define HTML_HTML_H

#include "report/report.h"
#include "document/xml.h"

/* --- source.c -------------------------------------------------------------------------------- */

/* The source lines around the steps of a report. */
struct excerpts;

#define EXCERPT_AROUND 4 /* lines before and after */

struct excerpts *excerpts_new(void);

/* Request the surroundings of a line; false: the file cannot be read. Returns the number of the
 * file in *file. */
bool excerpts_add(struct excerpts *x, const char *file, int line, unsigned *number);

/* Names and requested lines of the files; n from 0 while it returns true. */
bool excerpts_file(const struct excerpts *x, unsigned n, const char **name);
const char *excerpts_line(const struct excerpts *x, unsigned file, int line);
int excerpts_last(const struct excerpts *x, unsigned file);

/* --- steps.c --------------------------------------------------------------------------------- */

/* Is a step on the cycle, the failure, or on the chain of waits? */
bool html_is_key(const struct report *r, u32 step);

/* --- data.c ---------------------------------------------------------------------------------- */

/* The data of a finding for page.js, as JSON without `<'. The format is described in data.c. */
char *html_data(struct report *r, struct excerpts *x);

/* --- from page.css, page.js (Makefile) ------------------------------------------------------- */

extern const char html_style[], html_script[];

#endif
