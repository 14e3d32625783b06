/* SPDX-License-Identifier: ISC */
/* run.h - an exploration from begin to end, and the status page that it fills in. */
#ifndef SEARCH_RUN_H
#define SEARCH_RUN_H

#include "base/option.h"

/*
 * Explore fn(arg) as o says, on the calling thread, which is the only one, and fill in the status
 * page. *o must stay as it is meanwhile. Returns the exit code: 0 all was seen and nothing found; 1
 * a finding; 2 refused, the page's note says why; 3 nothing found, but cut short.
 */
int run_explore(int (*fn)(void *), void *arg, const struct options *o);

/* The signal that stopped it, where that did not go to `heddle run`; 0 = none. To be raised when
 * the result has been shown. */
int run_asked(void);

/*
 * M.status: the page that the tool has made (option status-fd), or one of our own. Called again,
 * the tool's page stays as it is; ours is cleared, for the next exploration. False: it cannot be
 * had.
 */
bool status_open(const struct options *o);

#endif
