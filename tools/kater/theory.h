/* SPDX-License-Identifier: ISC */
/*
 * theory.h - facts about the relations of every execution.
 *
 * A cycle of edges is one of the relation e if other edges follow from those, with which it is. So
 * an automaton for e also accepts, in place of an edge, the paths from which it follows:
 *
 *   po is transitive; po-loc, dependencies, rmw and rfi are in it
 *   co is transitive; rf; fr is in co, fr; co and rf^-1; co in fr; rf; rf^-1 is the identity
 *   what follows a path that leads from one location to another within one of them is of another
 *
 * In coherent executions, po-loc, rf, co and fr have no cycle: a path of these from write to write
 * is in co, from read to write in fr; coi and fri are in po.
 */
#ifndef KATER_THEORY_H
#define KATER_THEORY_H

#include "kater/automaton.h"

struct theory {
	bool coherent;
	bool inverse; /* words with rf^-1 are asked about */
};

/* The automaton, not restricted, accepts all cycles that imply one of its own. */
void theory_widen(struct automaton *a, const struct theory *t);

/* Paths that no execution has, though theory_widen() does not know it: nothing comes between the
 * halves of a read-modify-write. */
const struct term *theory_atomicity(void);

#endif
