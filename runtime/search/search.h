/* SPDX-License-Identifier: ISC */
/* search.h - many executions: until complete, at a bound, or at a finding. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/base.h"

/* Returns the exit code (run.h) and leaves the counts in the status page. */
int search(void);

#endif
