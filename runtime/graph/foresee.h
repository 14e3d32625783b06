/* SPDX-License-Identifier: ISC */
/*
 * foresee.h - memory that threads share, known before the first execution graph.
 *
 * Idea.   Each fact that sharing.h learns makes the exploration begin again. A long program teaches
 *         hundreds of them one by one, each after all that comes before it. Most show in any one
 *         execution; so one on store buffers comes first, and a decorator notes its accesses.
 * Facts.  Of granules, that two threads have accessed them; of atomic accesses, their locations.
 *         They are those that the exploration would learn. Who owns other memory is forgotten: only
 *         graphs decide that.
 */
#ifndef GRAPH_FORESEE_H
#define GRAPH_FORESEE_H

#include "base/base.h"

/* A search begins: nothing is known. */
void foresee_clear(void);

/* The next execution's accesses are noted. / Not any more. */
void foresee_begin(void);
void foresee_end(void);

/* An exploration begins. Does it know what has been noted, or learnt since? */
bool foresee_adopt(void);

#endif
