/* SPDX-License-Identifier: ISC */
/* assumption.h - the assumptions of a file (query.h), in the right side of an inclusion.
 * Kokologiannakis, thesis, propositions 1 to 4 and 12; the general case is sound, and
 * incomplete. */
#ifndef KATER_ASSUMPTION_H
#define KATER_ASSUMPTION_H

#include "kater/query.h"

/* Paths over what is empty are included; before theory_widen(). */
void assumption_paths(struct automaton *a, const struct claim *c, bool paths);

/* co is total: writes of one location that are not in co are in its inverse, or one. The cycles are
 * those of e. */
void assumption_total(struct automaton *a, const struct term *e);

/* Paths of what is within something else are included where those of that are; afterwards. */
void assumption_edges(struct automaton *a, const struct claim *c);

#endif
