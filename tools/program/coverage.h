/* SPDX-License-Identifier: ISC */
/* coverage.h - heddle run --coverage: the lines and branches of a program, and those that were
 * reached. */
#ifndef PROGRAM_COVERAGE_H
#define PROGRAM_COVERAGE_H

#include "document/reached.h"

struct coverage;

/* List the lines and branches of a program, and set the option by which the runtime finds the list;
 * dies if the program has no debug information, or objdump is missing. */
struct coverage *coverage_open(const char *program, struct options *o);

/* The places reached. graphs: were the executions graphs? */
struct reached *coverage_result(struct coverage *c, bool graphs);

/* The same in numbers, while the search goes on: lines that were never reached, branches that were
 * executed and have never gone the other way, pairs of a read and its source (code, not lines). */
struct coverage_counts {
	unsigned lines_missing, one_way, pairs;
};
struct coverage_counts coverage_count(const struct coverage *c);

#endif
