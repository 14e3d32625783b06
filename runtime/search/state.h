/* SPDX-License-Identifier: ISC */
/*
 * state.h - in what state executions end: the program's global variables, and what threads return.
 *
 * For that, every global variable that is accessed once there are threads is a location of the
 * graph, also if only one thread does; its value at the end is that of the co-last write. Only what
 * has changed since the first thread was created is part of a state. What is on the heap is not:
 * its addresses say nothing.
 *
 * The table lies in memory that workers have in common, as that of outcomes.
 */
#ifndef SEARCH_STATE_H
#define SEARCH_STATE_H

#include "event/status.h"
#include "trust/trust.h"

/* Before an exploration: no states. on: they will be asked for. */
void state_begin(bool on);

/* A complete execution: count its state. */
void state_count(const struct trust *x);

/* The counts so far are void; while another model is explored, what has been marked. */
void state_clear(void);

/* Does this complete execution end in a state that `from` has not been seen to end in? */
bool state_is_new(const struct trust *x);

/* How many there are, and the new ones. */
void state_put(struct status_compare *c);

#endif
