/* SPDX-License-Identifier: ISC */
/*
 * races.h - searches that continue past a data race.
 *
 * A race ends an execution: C11 leaves the rest undefined. In code that synchronises with
 * volatile accesses or inline assembly, as was usual before C11, the racing accesses are meant to
 * be atomic. There, unless an option says otherwise, the first race is reported, and the search
 * begins again as with --races promote.
 */
#ifndef SEARCH_GRAPH_RACES_H
#define SEARCH_GRAPH_RACES_H

#include "base/base.h"

struct trust;

/* The last event of t races with `other`, which has been reported: is the access also promoted? */
bool races_go_on(const struct trust *x, u32 t, u32 other);

/* The search has ended: write notes with advice on its races, and on other findings in assembly. */
void races_advise(void);

#endif
