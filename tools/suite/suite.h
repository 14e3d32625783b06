/* SPDX-License-Identifier: ISC */
/* suite.h - heddle run --suite. */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "job/job.h"

/* Other words than a line for each test. */
struct suite_view {
	const char *noun; /* in place of "test" */
	/* A test, in their order: ok, cut, FAILED, refused, and the rest of its line. */
	void (*take)(const struct job *j, const char *word, const char *rest);
	/* After all of them. Returns the text after "N failed" in the last line. */
	const char *(*show_failures)(FILE *out);
};

/* Explore each test of the program of this job by a separate job; with --list, only print their
 * names. argv: the command line, for documents. view: NULL for lines. Returns the exit code. */
int suite_run(const struct job *all, char **argv, const struct suite_view *view);

#endif
