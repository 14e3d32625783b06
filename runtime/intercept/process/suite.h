/* SPDX-License-Identifier: ISC */
/*
 * suite.h - one test of a suite, explored: `heddle run --suite`.
 *
 * The tool starts the program once for each test, with the option suite-test=N. The program's main
 * runs natively until its framework is about to run the N-th test.
 */
#ifndef INTERCEPT_PROCESS_SUITE_H
#define INTERCEPT_PROCESS_SUITE_H

#include "base/option.h"
#include "event/status.h"

/* The options if the process is to explore a test of its suite; else NULL, as in an execution. */
struct options *suite_options(void);

/* The framework is about to run a test. Is it the one to explore? */
bool suite_is_next(const struct options *o);

/* It is the one: pass its names to the tool. Ends the process unless --test selects it. */
void suite_name(const struct options *o, const char *suite, const char *test);

/* Explore run(), call cleanup(), unless NULL, and end the process; `frame`: as for
 * check_explore(). */
_Noreturn void suite_explore(
	struct options *o, int (*run)(void *), void *arg, void (*cleanup)(void), void *frame);

/* The test asks to be skipped, in an execution. */
void suite_skip(void);

/* End the process without an exploration. */
_Noreturn void suite_finish(enum status_test state, int code);

#endif
