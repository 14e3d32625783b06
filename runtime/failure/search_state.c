/* SPDX-License-Identifier: ISC */
/* search_state.c - see search_state.h. */
#include "failure/search_state.h"
#include "machine/execution/execution.h"

#include <string.h>

void search_push(struct search_state *s)
{
	s->explore = M.explore;
	s->options = M.options;
	s->model = M.model;
	s->bounds = M.bounds;
	s->max_steps = M.max_steps;
	s->max_preemptions = M.max_preemptions;
	s->max_delays = M.max_delays;
	s->strategy = M.status->strategy;
	s->sampling = M.sampling;
	s->executions = M.status->executions;
	s->blocked = M.status->blocked;
	s->steps = M.status->steps;
	s->state = M.status->state;
	memcpy(s->note, M.status->note, sizeof s->note);
	memcpy(s->coverage, M.status->coverage, sizeof s->coverage);
}

void search_pop(const struct search_state *s)
{
	M.explore = s->explore;
	M.options = s->options;
	machine_set_model(s->model);
	M.bounds = s->bounds;
	M.max_steps = s->max_steps;
	M.max_preemptions = s->max_preemptions;
	M.max_delays = s->max_delays;
	M.status->strategy = s->strategy;
	M.sampling = s->sampling;
	M.status->executions = s->executions;
	M.status->blocked = s->blocked;
}

void search_pop_all(const struct search_state *s)
{
	search_pop(s);
	M.status->steps = s->steps;
	M.status->state = s->state;
	memcpy(M.status->note, s->note, sizeof s->note);
	memcpy(M.status->coverage, s->coverage, sizeof s->coverage);
}
