/* SPDX-License-Identifier: ISC */
/*
 * outcome.h - the outcomes of executions: values of heddle_observe() that occur together.
 *
 * On store buffers an execution keeps its observations, and is counted at its end. In an execution
 * graph an observation is an event without a choice (LABEL_CHOOSE of one number): label.other is
 * its name, label.expected its value; so a graph has its outcome without being run.
 *
 * The table is in memory shared by workers. (When a worker is killed, its task is explored again
 * and its outcomes are counted twice: the same outcomes, with higher counts.)
 */
#ifndef SEARCH_OUTCOME_OUTCOME_H
#define SEARCH_OUTCOME_OUTCOME_H

#include "trust/cache.h"
#include "model/graph.h"

/* Before an exploration: no names, no outcomes. */
void outcome_begin(void);

/* Discard the outcomes so far. */
void outcome_clear(void);

/* Has any value been observed? */
bool outcome_wanted(void);

/* Microseconds reserved at the end of an exploration, for the comparison of its outcomes or end
 * states. */
u64 outcome_reserve(void);

/* The running thread observes a value. */
void outcome_observe(const char *name, i64 value);

/* An execution is over: on store buffers; as a graph. */
void outcome_count(void);
void outcome_count_graph(const struct graph *g, const struct cache *cache);

/* After the search: the table goes to the status page. known: all outcomes possible under sc, or
 * under the compared model, are marked. */
void outcome_end(bool known);

/* The number of outcomes that the compared model forbids. *more: there was no room for others. */
u64 outcome_new(u64 *all, u32 *more);

/* Is this graph's outcome one of these? Then words[n] describes it. */
bool outcome_is_new(const struct graph *g, const struct cache *cache, char *words, size_t n,
	const char *from);

#endif
