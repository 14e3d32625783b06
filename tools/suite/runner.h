/* SPDX-License-Identifier: ISC */
/* runner.h - test programs that list their tests, and run one of them, when they are asked. */
#ifndef SUITE_RUNNER_H
#define SUITE_RUNNER_H

#include "child/child.h"

struct runner {
	const char *name, *symbol, *list, *line, *single; /* see runner.def */
};

/* The framework of a program; NULL: none of runner.def. */
const struct runner *runner_of(const char *program);

/* The names of the program's tests, with NULL at the end. Dies if it does not list them. */
char **runner_tests(const struct runner *r, const struct child_setup *setup);

/* The program's arguments, with those that run this test alone. */
char **runner_command(const struct runner *r, char **argv, const char *test);

#endif
