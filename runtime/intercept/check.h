/* SPDX-License-Identifier: ISC */
/* check.h - what is explored without `heddle run` in front: tests, by heddle_check() or as CUnit
 * runs them. */
#ifndef INTERCEPT_CHECK_H
#define INTERCEPT_CHECK_H

#include "base/option.h"

/* Explore fn for a test of that name ("" = none), in the calling function, whose frame ends at
 * `frame`: the memory of its callers is part of the program's. Returns the exit code, as
 * run_explore() (search/run.h). */
int check_explore(int (*fn)(void *), const char *name, struct options *o, void *frame);

/* Say on stderr what an exploration without `heddle run` has found. */
void check_report(void);

/* Threads of the process that can run: those that are parked for us (process/tls.h) cannot. */
unsigned check_threads(void);

#endif
