/* SPDX-License-Identifier: ISC */
/*
 * reach.h - which lines and branches of the program executions reach, for `heddle run --coverage'.
 *
 * A breakpoint is put on the first instruction of each line and on each conditional branch, and
 * removed once nothing new can be seen there; so code runs at full speed without the option, and
 * nearly so with it. The same idea as kcov's (https://github.com/SimonKagstrom/kcov).
 */
#ifndef MACHINE_OBSERVER_REACH_H
#define MACHINE_OBSERVER_REACH_H

#include "base/option.h"
#include "event/reach.h"

extern struct reach *reach_table; /* NULL: not asked for */

/* Put the breakpoints, if option coverage-fd asks for that; remove them. For a process with one
 * thread. */
void reach_begin(const struct options *o);
void reach_end(void);

/* In a handler of SIGTRAP. False: it was no breakpoint of ours. */
bool reach_trapped(void *ucontext);

/* The event at the first place has read what the one at the other has written: lower halves of code
 * addresses. by = 0: the initial value. Any process. */
void reach_pair(u32 read, u32 by);

#endif
