/* SPDX-License-Identifier: ISC */
/*
 * classes.h - how many reads-from functions are among the first executions: for --equivalence auto.
 *
 * Execution graphs come one after the other that differ in little. Where threads overwrite values
 * that no thread has read, many in a row differ in the order of stores only; where all is read,
 * none do. So the first few thousand tell, or some ten thousand, where the last reads have
 * thousands of choices.
 */
#ifndef SEARCH_CLASSES_H
#define SEARCH_CLASSES_H

#include "model/graph.h"

#define CLASSES_PROBE 32768 /* executions, at most */

void classes_begin(void);

/* An execution is over. Does nothing, but between classes_begin() and classes_end(). */
void classes_note(const struct graph *g);

/* Is it clear already? */
bool classes_enough(void);

/* Is it better to explore each reads-from function once, at what that costs? */
bool classes_end(void);

#endif
