/* SPDX-License-Identifier: ISC */
/*
 * trust_symmetry.h - threads that do the same: executions that differ in their names only are one.
 *
 * Idea.   Threads with the same function and argument that another one creates one directly after
 *         the other, its *twins*, behave alike. Where two of them first differ they perform the
 *         same operation, and coherence orders it: by their sources, or their writes. Explored is
 *         the execution in which the older twin comes first.
 * How.    A graph in which a younger twin comes first is not continued. The causes of an event, as
 *         far as a revisit keeps them, include those of the older twin's event in its place, so
 *         that no revisit makes the younger one the first.
 * Checked. That they behave alike: whenever the next label of one of them becomes known, each other
 *         one is run to the same place, in the graph with the two renamed, and must have the same
 *         label. That no other thread can distinguish them: their creator joins all of them in
 *         turn, or none, and they return the same. Else the search begins again, and these threads
 *         (awaits->different) are no twins; nor are any in programs with operations that name
 *         threads, or observe something.
 *
 * Kokologiannakis, Marmanis, Vafeiadis, SPORE: Combining Symmetry and Partial Order Reduction,
 * PACMPL (PLDI) 2024.
 */
#ifndef TRUST_TRUST_SYMMETRY_H
#define TRUST_TRUST_SYMMETRY_H

#include "trust/trust.h"

/* Takes some of the memory for saved graphs. / Begin with an empty graph: is there a reason not to
 * look for twins? */
void symmetry_init(struct trust *x);
void symmetry_begin(struct trust *x);

/* Does the graph have threads that may be twins? */
bool symmetry_is_possible(const struct trust *x);

/* The older twin of thread t, plus 1; 0: it has none. t is created by event e of the graph. */
u8 symmetry_twin(struct trust *x, u32 e);

/* The label l of thread t has become known: is it one that twins, or the others, may have, and do
 * its twins have the same? False: x->answer. */
bool symmetry_learn(struct trust *x, u32 t, const struct label *l);

/* Event e is new: a join that tells twins apart sets x->answer. */
void symmetry_notice(struct trust *x, u32 e);

/* Is the graph to be continued? t: the only thread that has changed; GRAPH_THREADS: any. */
bool symmetry_keeps(const struct trust *x, u32 t);

/* Join the causes of those events of older twins which take the place of events of this clock. */
void symmetry_close(const struct trust *x, u16 *clock);

#endif
