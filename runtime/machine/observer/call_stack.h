/* SPDX-License-Identifier: ISC */
/*
 * call_stack.h - the call stacks in which threads wait: heddle reproduce.
 *
 * With option `call-stacks' an observer of the operations on objects notes the call stack of each
 * thread there (struct thread, call_stack). Deadlocks of the same threads and objects are then one
 * finding only if their call stacks are the same. In an execution graph a thread's call stack
 * depends on nothing but the values that it has read, so its hash belongs to the label.
 *
 * A goal is the call stack of one thread of a backtrace. While the goals guide the search, the tool
 * is asked about each new call stack: which goals does it match? explore/goal.c holds threads at
 * their goals.
 */
#ifndef MACHINE_OBSERVER_CALL_STACK_H
#define MACHINE_OBSERVER_CALL_STACK_H

#include "base/option.h"

#define CALL_STACKS_GUIDE 2 /* a value of the option */

/* Before a search. stack_init() must have been called. */
void call_stacks_begin(const struct options *o);

/* Match the call stacks with goals, from now on or no longer. */
void call_stacks_guide(bool on);

/* Mark the threads at a goal that no thread before them has (struct thread, at_goal). Notes the
 * largest number of goals that were reached together. */
void call_stacks_mark_goals(void);

#endif
