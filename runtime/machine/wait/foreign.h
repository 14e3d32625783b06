/* SPDX-License-Identifier: ISC */
/*
 * foreign.h - libraries that are not instrumented, and have state that threads share.
 *
 * In a graph the next step of a thread is a function of the values that it has read. A library's
 * own variables, and the memory that it writes for its callers, are not among these. Most libraries
 * have no such state, or only the threads' own; so their calls become steps only when a thread was
 * found not to repeat its operations (LEARNT_FOREIGN), with which the search begins again: steps on
 * one object for each library, which all its callers change. They do not synchronise.
 */
#ifndef MACHINE_WAIT_FOREIGN_H
#define MACHINE_WAIT_FOREIGN_H

#include "process/module.h"

/* Memory that a function writes. */
struct foreign_range {
	u64 start, size;
};

/* The calling thread calls a function of this library. */
void foreign_call(const struct module *m);

/* Does instrumented code of the program, which is being explored, call from there? */
bool foreign_is_caller(const void *caller);

/* The path of a library that the program has called while exploring; NULL: none. */
const char *foreign_library(void);

/* Has it, and are calls no steps yet? */
bool foreign_may_be_steps(void);

#endif
