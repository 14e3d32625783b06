/* SPDX-License-Identifier: ISC */
/* paragraph.h - the paragraphs of a report below its steps: why, repair, waits, heap, ... */
#ifndef REPORT_PARAGRAPH_H
#define REPORT_PARAGRAPH_H

#include "report/report.h"

/* All paragraphs below the steps; begin(to, word) begins one, with "" another line of it. */
void report_paragraphs(const struct report *r, unsigned width,
	void (*begin)(void *to, const char *word), void *to, FILE *out);

/* The same as a list; returns their number. The text of each is without a newline at its end. */
struct paragraph {
	char *word, *text;
};
unsigned report_paragraph_list(const struct report *r, unsigned width, struct paragraph **list);

#endif
