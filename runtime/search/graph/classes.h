/* SPDX-License-Identifier: ISC */
/*
 * classes.h - the number of reads-from functions of the first executions: for --equivalence auto.
 *
 * Consecutive execution graphs differ little. Where threads overwrite values that no thread has
 * read, many in a row differ only in the order of stores; where all values are read, none do. So
 * the first few thousand are representative, or some ten thousand if the last reads have thousands
 * of choices.
 */
#ifndef SEARCH_GRAPH_CLASSES_H
#define SEARCH_GRAPH_CLASSES_H

#include "model/graph.h"

#define CLASSES_PROBE 32768 /* executions, at most */

void classes_begin(void);

/* Between these two? */
bool classes_wanted(void);

/* An execution is over. No effect except between classes_begin() and classes_end(). */
void classes_note(const struct graph *g);

/* Is the decision clear? */
bool classes_enough(void);

/* Is it cheaper to explore each reads-from function once? */
bool classes_end(void);

#endif
