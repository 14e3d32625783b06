/* SPDX-License-Identifier: ISC */
/* coverage.h - notes on limits of the coverage, printed at the end of the run. */
#ifndef PROCESS_COVERAGE_H
#define PROCESS_COVERAGE_H

struct status;

/* Notes are added to this page from now on; NULL: dropped. */
void coverage_begin(struct status *page);

/* A sentence without a full stop, formatted as by printf(). Duplicates, and notes without room on
 * the page, are dropped. */
void coverage_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
