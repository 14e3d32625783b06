/* SPDX-License-Identifier: ISC */
/* suite.h - heddle run --suite. */
#ifndef TOOLS_SUITE_H
#define TOOLS_SUITE_H

#include "job.h"

/* Explore each test that the program of this job registers with CUnit by a separate job. argv:
 * the command line, for documents. Returns the exit code. */
int suite_run(const struct job *all, char **argv);

#endif
