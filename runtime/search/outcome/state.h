/* SPDX-License-Identifier: ISC */
/*
 * state.h - end states of executions: global variables, and return values of threads.
 *
 * For this, every global variable accessed after the creation of a thread is a location of the
 * graph, even if only one thread accesses it; its final value is that of the co-last write. A state
 * contains only variables changed since the first thread was created, and not the heap, whose
 * addresses are meaningless.
 *
 * The table is in memory shared by workers, like that of outcomes.
 */
#ifndef SEARCH_OUTCOME_STATE_H
#define SEARCH_OUTCOME_STATE_H

#include "event/status.h"
#include "trust/trust.h"

/* Before an exploration: clear the table. on: states are needed. */
void state_begin(bool on);

/* A complete execution: count its state. */
void state_count(const struct trust *x);

/* Discard the counts so far, or, while another model is explored, the marks. */
void state_clear(void);

/* Does this complete execution end in a state that `from` is not known to reach? */
bool state_is_new(const struct trust *x);

/* The number of states, and the new ones. */
void state_put(struct status_compare *c);

#endif
