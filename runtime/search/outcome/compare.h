/* SPDX-License-Identifier: ISC */
/*
 * compare.h - portability: behaviour of the explored model that another model forbids.
 *
 * Idea.   The exploration meets all graphs that the other model (`from`) also allows: for each
 *         outcome, end state or finding not yet known to be possible under `from`, check whether
 *         `from` allows the current graph. So one exploration decides if it covers all graphs of
 *         `from`; if it does not (ra and pso, ...), or if a data race cut some short, `from` is
 *         explored as well, to mark its behaviour.
 * Witness. New behaviour is shown by an execution, found by another exploration, which ends there.
 *
 * Ponce de Leon, Furbach, Heljanko, Meyer: Portability analysis for weak memory models, SAS 2017
 * (Porthos).
 */
#ifndef SEARCH_OUTCOME_COMPARE_H
#define SEARCH_OUTCOME_COMPARE_H

#include "failure/failure.h"

/* Before an exploration. */
void compare_begin(void);

/* Discard the results of the executions so far. */
void compare_clear(void);

/* Is it compared with M.options->from? */
bool compare_on(void);

/* Is another model being explored, to mark its behaviour? Is a witness being searched for? */
bool compare_marking(void);
bool compare_seeking(void);

/* An execution did not reach its end: the marking may be incomplete. */
void compare_unknown(void);

/* Does `from` allow the graph, one of the explored model? */
bool compare_allows(const struct graph *g);

/* This graph has finding `f`. Is it possible under `from`? Sets f->in_from. */
void compare_found(const struct failure *w, struct status_finding *f);

/* Count a complete execution. True: report it as *f. */
bool compare_fails(const struct trust *x, struct finding *f);

/* A search of execution graphs, as graph_search(). */
typedef bool compare_search(const char **why, bool *all);

/* Explore all graphs of a model, for `budget` microseconds at most, to mark its outcomes, states
 * and findings. Returns whether that was complete. */
bool compare_mark(enum model_id m, u64 budget, compare_search by);

/* After the search: decide which are new, and find an execution with one of them; the verdict goes
 * to the status page. Returns the exit code. */
int compare_end(u64 budget, compare_search by);

/* The search was abandoned (clock.h): verdict unknown, with the results so far. */
void compare_left(void);

#endif
