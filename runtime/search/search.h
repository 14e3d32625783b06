/* SPDX-License-Identifier: ISC */
/* search.h - many executions: until everything is seen, a bound is met or something is found. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/base.h"

/* Returns the exit code (run.h) and leaves the figures in the status page. */
int search(void);

/* Begin to record, everything anew; or end. */
void search_record(bool on);

/* Run an execution again, along its choices; M.explore.diverged: that was not possible. */
void search_follow(const u32 *choices, u32 n, bool recorded);

/* How many choices the last one that was followed has made. */
u32 search_followed(void);

#endif
