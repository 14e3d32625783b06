/* SPDX-License-Identifier: ISC */
/* check.h - explorations without `heddle run`: tests, by heddle_check() or of a suite (suite.h). */
#ifndef INTERCEPT_PROCESS_CHECK_H
#define INTERCEPT_PROCESS_CHECK_H

#include "base/option.h"

/* Explore fn(arg) for a test of that name ("" = none), in the calling function, whose frame ends at
 * `frame`: the memory of its callers is part of the program's. Returns the exit code, as
 * run_explore() (search/run.h). */
int check_explore(int (*fn)(void *), void *arg, const char *name, struct options *o, void *frame);

/* Print the findings of an exploration without `heddle run` on stderr. */
void check_report(void);

/* The number of threads of the process that can run, not counting our parked ones
 * (process/tls.h). */
unsigned check_threads(void);

#endif
