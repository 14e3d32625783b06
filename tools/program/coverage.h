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

#endif
