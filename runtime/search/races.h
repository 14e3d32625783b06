/* SPDX-License-Identifier: ISC */
/*
 * races.h - where a search goes on from a data race.
 *
 * A race ends an execution: C11 gives what follows no meaning. In code that synchronises with
 * volatile accesses or inline assembly, as was usual before C11, the racing accesses are meant to
 * be atomic. There, unless an option says otherwise, the first race is reported, and the search
 * begins again as with --races promote.
 */
#ifndef SEARCH_RACES_H
#define SEARCH_RACES_H

#include "base/base.h"

struct trust;

/* Are races promoted: racing accesses become relaxed atomic ones? */
bool races_are_promoted(void);

/* The last event of t races with `other`, and that is reported: is it to be promoted all the
 * same? */
bool races_go_on(const struct trust *x, u32 t, u32 other);

/* The search has ended: notes on what to do about its races, and about other findings in
 * assembly. */
void races_advise(void);

#endif
