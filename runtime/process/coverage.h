/* SPDX-License-Identifier: ISC */
/* coverage.h - what could not be seen, to be said at the end of the run. */
#ifndef PROCESS_COVERAGE_H
#define PROCESS_COVERAGE_H

struct status;

/* Sentences go to this page from now on; NULL: nowhere. */
void coverage_begin(struct status *page);

/* A sentence without a full stop, as printf() makes it. The same one is said once; when the page
 * has no room, not at all. */
void coverage_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
