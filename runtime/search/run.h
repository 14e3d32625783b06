/* SPDX-License-Identifier: ISC */
/* run.h - an exploration from beginning to end, and the status page that it fills in. */
#ifndef SEARCH_RUN_H
#define SEARCH_RUN_H

#include "base/option.h"

/*
 * Explore fn(arg) by the options o, on the calling thread, the only one, and fill in the status
 * page. *o must not change meanwhile. Returns the exit code: 0 complete, nothing found; 1 a
 * finding; 2 refused, with the reason in the page's note; 3 nothing found, but incomplete.
 */
int run_explore(int (*fn)(void *), void *arg, const struct options *o);

/* Forget its results: another exploration begins, with the same page. */
void run_forget(void);

/* The signal that stopped it, if not sent to `heddle run`; 0 = none. To be raised after the result
 * was printed. */
int run_asked(void);

/*
 * M.status: the page made by the tool (option status-fd), or our own. Called again, the tool's page
 * is unchanged; ours is cleared, for the next exploration. False: out of memory.
 */
bool status_open(const struct options *o);

#endif
