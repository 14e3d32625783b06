/* SPDX-License-Identifier: ISC */
/*
 * first.h - executions before those of graphs: samples that lead to a finding, and of a program
 * whose graphs are large the execution without delays, and samples. On a busy machine no graph may
 * be completed in the time; otherwise these do not count.
 */
#ifndef SEARCH_SCHEDULE_FIRST_H
#define SEARCH_SCHEDULE_FIRST_H

#include "base/base.h"

/* Steps of the natural run from which on a program is long. */
#define FIRST_STEPS 4000

/* A search begins. */
void first_clear(void);

/* heddle reproduce: samples that lead threads to the calls of a backtrace; 0: until the time is up.
 * True: a failure is found, or the search is over. */
bool first_directed(u64 executions);

/* If the program is long; likewise. */
bool first_of_long_program(void);

/* They count if there is no other execution; the natural run, if it is the only one. */
void first_count(void);

#endif
