/* SPDX-License-Identifier: ISC */
/*
 * search_state.h - the state of the search, saved while the program is run for another purpose.
 *
 * Not restored are M.outcome, M.finding and the events of the recorder.
 */
#ifndef FAILURE_SEARCH_STATE_H
#define FAILURE_SEARCH_STATE_H

#include "event/status.h"
#include "machine/core.h"

struct search_state {
	struct explore explore;
	const struct options *options;
	enum model_id model;
	u32 bounds, max_steps, max_preemptions, max_delays, strategy;
	bool sampling;
	u64 executions, blocked;
	u64 steps;
	u32 state;
	char note[sizeof((struct status *)0)->note];
	char coverage[array_size(((struct status *)0)->coverage)]
		     [sizeof((struct status *)0)->coverage[0]];
};

/* Save the state of the search in *s. */
void search_push(struct search_state *s);

/* The search continues. Findings, notes, failing executions and steps are kept. */
void search_pop(const struct search_state *s);

/* The same; steps and notes of the executions in between are dropped as well. */
void search_pop_all(const struct search_state *s);

#endif
