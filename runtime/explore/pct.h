/* SPDX-License-Identifier: ISC */
/* pct.h - see pct.c. */
#ifndef EXPLORE_PCT_H
#define EXPLORE_PCT_H

#include "explore/explore.h"

/* The thread gives way: its priority falls below all others. */
void pct_yield(struct explore *x, u32 thread);

#endif
