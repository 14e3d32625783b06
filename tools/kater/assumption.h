/* SPDX-License-Identifier: ISC */
/* assumption.h - the assumptions of a file (query.h), in the right side of an inclusion.
 * Kokologiannakis, thesis, propositions 1 to 4 and 12; the general case is sound, and
 * incomplete. */
#ifndef KATER_ASSUMPTION_H
#define KATER_ASSUMPTION_H

#include "kater/query.h"

/* Include paths over relations assumed to be empty. To be called before theory_widen(). */
void assumption_paths(struct automaton *a, const struct claim *c, bool paths);

/* co is total: two writes of one location that are not in co are in its inverse, or the same write.
 * The cycles are those of e. */
void assumption_total(struct automaton *a, const struct term *e);

/* For an assumption e <= f, include paths of e where those of f are. After theory_widen(). */
void assumption_edges(struct automaton *a, const struct claim *c);

#endif
