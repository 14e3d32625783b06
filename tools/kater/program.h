/* SPDX-License-Identifier: ISC */
/* program.h - an execution as a C litmus program, whose assertion fails if it happens. */
#ifndef KATER_PROGRAM_H
#define KATER_PROGRAM_H

#include "kater/execution.h"

/* NULL, or why no program has it. */
const char *program_problem(const struct execution *x);

/* "T0: W rlx x=1; R acq y=0   T1: ..." */
char *program_line(const struct execution *x);

/* Compiles it: FOLDER/NAME.c, FOLDER/NAME. Returns the program; dies if it does not compile. */
char *program_build(
	const struct execution *x, const char *about, const char *folder, const char *name);

/* Explores it under a model: does the execution's outcome occur? -1: unknown, as the exploration
 * was not complete. */
int program_observed(const char *program, const char *model);

#endif
