/* SPDX-License-Identifier: ISC */
/*
 * trace_cache.h - schedules that begin with the same trace, for bounded search.
 *
 * Idea.   Two beginnings of schedules that differ only in the order of steps that do not conflict
 *         lead to the same state. Search depth first goes on from the first of them; the second one
 *         ends the execution, if it has no more preemptions (or delays) left.
 * Hash.   A step's hash is of its thread's last one, and of the last conflicting ones: those of its
 *         location. That of a trace is the sum over threads, so it grows by a step at a time. Two
 *         words of 64 bits: different traces are taken for the same with a probability of less than
 *         2^-80 in a search of a million executions.
 * Steps.  Of locations; of everything, if it is not known what they access: these conflict with all
 *         steps. What changes without a step (the end of a wait, a value chosen) is noted in its
 *         thread, at least.
 * State.  One static struct: there is one search per process. Entries are overwritten at will: then
 *         only time is lost.
 *
 * Musuvathi, Qadeer, Partial-order reduction for context-bounded state exploration, MSR-TR-2007-12
 * (happens-before hashing in CHESS). With the bound as part of the key, no execution of the bound
 * is lost, unlike with sleep sets.
 */
#ifndef EXPLORE_TRACE_CACHE_H
#define EXPLORE_TRACE_CACHE_H

#include "explore/explore.h"

#define TRACE_THREADS 512 /* slots */

/* Is the running execution's trace noted? */
extern bool traces_noted;

/* A search begins: nothing has been seen. */
void trace_cache_clear(void);

/* An execution begins. on: its trace is noted. */
void trace_cache_begin(bool on);

/* From here to the end of the execution nothing is known to be the same. */
void trace_give_up(void);

/* Thread `slot` takes a step: it accesses a. Without a size: nothing that others can see. */
void trace_step(u32 slot, const struct agent_access *a);

/* It takes a step that may conflict with any other. */
void trace_step_any(u32 slot);

/* It creates a thread; name: by which schedules distinguish the new one, or 0. */
void trace_create(u32 slot, u32 child, u32 name);

/* A value has been chosen. */
void trace_choice(u32 slot, u32 value);

/* Has the search been in the current state with at least `left' more preemptions? From now on it
 * has. rest: a hash of the parts of the state that are not in the trace. */
bool trace_is_known(u64 rest, u32 left);

#endif
