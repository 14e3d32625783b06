/* SPDX-License-Identifier: ISC */
/*
 * divide.h - plain search by several processes (--jobs), or of one shard of several (shard.h).
 *
 * Idea.   The executions with the same first choices are a part (explore/explore.h). All processes
 *         run the first execution of each part, in the same order. The first process to reach
 *         a part explores it; of shards, a hash of its number decides.
 * Again.  Facts that an execution reveals about the program (cancelled threads, visible memory) may
 *         change the choices: then all processes end, and begin again.
 */
#ifndef SEARCH_SCHEDULE_DIVIDE_H
#define SEARCH_SCHEDULE_DIVIDE_H

#include "search/schedule/phase.h"

/* Is the phase divided? M.explore has been started. */
bool divide_is_on(const struct phase *p);

/* Run it: `run' explores the parts of one process, true: to their end. begin_again: the executions
 * so far do not count. */
bool divide_run(const struct phase *p, bool (*run)(const struct phase *p),
	void (*begin_again)(const struct phase *p));

/* An execution has been prepared: is its part another process's? Then only its choices matter. */
bool divide_skips(void);

/* The execution has shown something new: all processes begin again. False: there is only this one,
 * which can do so by itself. */
bool divide_restart(void);

/* Is the process to end for that? */
bool divide_is_over(void);

#endif
