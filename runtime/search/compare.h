/* SPDX-License-Identifier: ISC */
/*
 * compare.h - portability: what is possible under the model that is explored, and not under
 * another.
 *
 * Idea.   Graphs of the other model (`from`) that the explored one has, too, are met on the way: of
 *         each outcome, end state or finding that is not yet known to be possible under `from`, it
 *         is asked whether the graph at hand is one of `from`. So one exploration tells, if all
 *         graphs of `from` are among those explored; if not (ra and pso, ...), or if a data race
 *         cut some short, `from` is explored as well, and marks what it has.
 * Witness. What is new is shown by an execution: it is looked for in another exploration, which
 *         ends there.
 *
 * Ponce de Leon, Furbach, Heljanko, Meyer: Portability analysis for weak memory models, SAS 2017
 * (Porthos).
 */
#ifndef SEARCH_COMPARE_H
#define SEARCH_COMPARE_H

#include "search/failure.h"

/* Before an exploration. */
void compare_begin(void);

/* What the executions so far have shown is void. */
void compare_clear(void);

/* Is it compared with M.options->from? */
bool compare_on(void);

/* Is another model being explored, only to mark what it does? Is a witness being looked for? */
bool compare_marking(void);
bool compare_seeking(void);

/* Something may be missing in that: an execution was not carried to its end. */
void compare_unknown(void);

/* Is the graph, which is one of the explored model, one of `from`, too? */
bool compare_allows(const struct graph *g);

/* A finding of `f` has been met in this graph. Does `from` have it? Sets f->in_from. */
void compare_found(const struct failure *w, struct status_finding *f);

/* A complete execution: count it. True: it is one that is to be reported; *f says why. */
bool compare_fails(const struct trust *x, struct finding *f);

/* Explore all graphs of a model, for `budget` microseconds at most, to mark which outcomes, states
 * and findings it has. Returns whether all have been seen. */
bool compare_mark(enum model_id m, u64 budget);

/* After the search: settle what is new, find an execution that shows it; the verdict goes to the
 * status page. Returns the exit code. */
int compare_end(u64 budget);

/* The search has been left in the middle (clock.h): what it has so far; unknown. */
void compare_left(void);

#endif
