/* SPDX-License-Identifier: ISC */
/* suite.h - heddle run --suite. */
#ifndef TOOLS_SUITE_H
#define TOOLS_SUITE_H

#include "job.h"

/* Explore each test of the program of this job by a separate job; with --list, only print their
 * names. argv: the command line, for documents. Returns the exit code. */
int suite_run(const struct job *all, char **argv);

#endif
