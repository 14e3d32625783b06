/* SPDX-License-Identifier: ISC */
/*
 * analysis.h - properties that follow from the form of a model's expressions: when an axiom can be
 * checked, and which executions the model excludes.
 *
 * Facts (enum cat_fact) are upper bounds, computed from those of the operands; through a `let rec',
 * the greatest that agree. An axiom prunes if it holds of every prefix of an execution that it
 * holds of (CAT_MONOTONE), and still holds when a consistent graph gets one more event in the way
 * that the explorer calls maximal (CAT_NEW_IN): Kokologiannakis et al., POPL 2022, 3.1.
 *
 * Atoms are lower bounds: parts of po, rf, co, fr and id that an expression has in every graph.
 *
 * An idle iteration begins with an RMW and ends with a write of the value that this has read, all
 * at one location (trust/trust_again.c). Without it, a later read r of that write reads from the
 * source w of the RMW's read u; po, co and fr are those with it, restricted to the other events. A
 * relation shrinks if the new one is a part of the old one. rf does not, as it gets (w, r); but a
 * closure of it does, or its being acyclic, if it had a path from w to r already: along co and rf,
 * or rf, po and rf.
 */
#ifndef CAT_ANALYSIS_H
#define CAT_ANALYSIS_H

#include "cat/cat.h"

/* po between different locations and within one, by reads and writes; communication. */
enum atom {
	ATOM_PO_RR = 1 << 0, ATOM_PO_RW = 1 << 1, ATOM_PO_WR = 1 << 2, ATOM_PO_WW = 1 << 3,
	ATOM_LOC_RR = 1 << 4, ATOM_LOC_RW = 1 << 5, ATOM_LOC_WR = 1 << 6, ATOM_LOC_WW = 1 << 7,
	ATOM_RFE = 1 << 8, ATOM_RFI = 1 << 9, ATOM_COE = 1 << 10, ATOM_COI = 1 << 11,
	ATOM_FRE = 1 << 12, ATOM_FRI = 1 << 13, ATOM_ID_R = 1 << 14, ATOM_ID_W = 1 << 15,
};

/* Of a set: does it have all reads, all writes? */
enum { KIND_R = 1, KIND_W = 2 };

/* Fills in the facts and atoms of all nodes, `when' of the axioms, and their consequences. */
void analysis_model(struct cat *c);

#endif
