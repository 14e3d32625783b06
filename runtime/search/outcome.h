/* SPDX-License-Identifier: ISC */
/*
 * outcome.h - the outcomes of executions: which values heddle_observe() has seen together.
 *
 * On store buffers an execution keeps what it observes, and is counted at its end. In an execution
 * graph an observation is an event without a choice (LABEL_CHOOSE of one number): label.other is
 * its name, label.expected its value; so a graph has its outcome even when it is not run.
 *
 * The table lies in memory that workers have in common. (When a worker is killed, what it began is
 * explored again and its outcomes are counted twice: they are the same ones, more often.)
 */
#ifndef SEARCH_OUTCOME_H
#define SEARCH_OUTCOME_H

#include "trust/cache.h"
#include "model/graph.h"

/* Before an exploration: no names, no outcomes. */
void outcome_begin(void);

/* The outcomes counted so far do not count. */
void outcome_clear(void);

/* Has anything been observed? */
bool outcome_wanted(void);

/* Microseconds at the end of an exploration for what its outcomes, or end states, are compared
 * with. */
u64 outcome_reserve(void);

/* The running thread observes. */
void outcome_observe(const char *name, i64 value);

/* An execution is over, on store buffers, or as a graph. */
void outcome_count(void);
void outcome_count_graph(const struct graph *g, const struct cache *cache);

/* After the search: the table goes to the status page. known: all that is possible under sc, or the
 * model that is compared with, has been marked. */
void outcome_end(bool known);

/* How many different ones there are of which the compared model has none. more: others had no
 * room. */
u64 outcome_new(u64 *all, u32 *more);

/* Is that of this graph one of these? Then words[n] says so. */
bool outcome_is_new(const struct graph *g, const struct cache *cache, char *words, size_t n,
	const char *from);

#endif
