/* SPDX-License-Identifier: ISC */
/* first.c - see first.h. */
#include "search/schedule/first.h"
#include "machine/execution/clock.h"
#include "machine/execution/execution.h"
#include "machine/observer/call_stack.h"
#include "machine/observer/tracks.h"
#include "process/sys.h"
#include "search/outcome/compare.h"
#include "search/schedule/deepen.h"
#include "search/schedule/natural.h"
#include "search/outcome/outcome.h"
#include "search/limit/bound.h"
#include "search/schedule/phase.h"

#define DIRECTED_NS  2000000000ull
#define DIRECTED_LONGER 5 /* with the order of a flight record: so many times */
#define LONG_SAMPLES 16
#define LONG_SHARE   8 /* of the available time, at most; */
#define LONG_TIMES   6 /* the execution without delays may take so many times the natural run */
#define LEAST_SHARE  2 /* of the time */

static u64 sampled_before; /* executions */

void first_clear(void)
{
	sampled_before = 0;
}

/* The next phase begins, unless the time of all is up. */
static void end_phase(void)
{
	clock_phase(0);
	if (!clock_is_over)
		M.bounds &= ~(u32)BOUND_TIME;
}

/* Samples before the graphs, by store buffers. True: a failure is found, or the search is over. */
static bool sample_before(const struct phase *p)
{
	enum model_id model = M.model;
	struct status *s = M.status;

	if (M.buffers == BUFFERS_UNDEFINED)
		machine_set_model(MODEL_OF_SCHEDULES);
	phase_run(p);
	end_phase();
	if (bounds_stopped()) {
		s->chosen = STRATEGY_RANDOM;
		return true;
	}
	machine_set_model(model);
	M.sampling = false;
	M.bounds = 0;
	sampled_before = s->executions;
	s->executions = s->blocked = s->cut = s->failing = s->nfindings = 0;
	outcome_clear();
	return false;
}

bool first_directed(u64 executions)
{
	u64 longer = M.options->track_fd ? DIRECTED_LONGER : 1;
	const struct phase p = {
		.strategy = STRATEGY_RANDOM, .ops = &strategy_goal,
		.executions = longer * executions,
		.until = executions ? clock_ns() + longer * DIRECTED_NS : 0};
	bool stops;

	call_stacks_guide(true);
	tracks_follow(true);
	stops = sample_before(&p);
	call_stacks_guide(false);
	tracks_follow(false);
	return stops;
}

/* Microseconds. It has a guarantee, samples of so long a program have almost none. */
static u64 time_without_delays(u64 time)
{
	u64 expected = LONG_TIMES * natural.microseconds, most = time / LEAST_SHARE;

	if (expected > most)
		expected = most;
	return expected > time / LONG_SHARE ? expected : time / LONG_SHARE;
}

bool first_of_long_program(void)
{
	const struct options *o = M.options;
	const struct phase p = {.strategy = STRATEGY_RANDOM, .executions = LONG_SAMPLES};

	if (!natural.ended || natural.steps < FIRST_STEPS || !o->time || o->graphs_only ||
		o->keep_going || o->checkpoint[0] || o->resume[0] || o->shard ||
		model_is_file(M.model) || compare_on() || outcome_wanted())
		return false;
	deepen_least(time_without_delays(o->time));
	end_phase();
	if (bounds_stopped()) {
		M.status->chosen = STRATEGY_DFS;
		return true;
	}
	clock_phase(o->time / LONG_SHARE);
	return sample_before(&p);
}

void first_count(void)
{
	if (M.status->executions || M.outcome == OUTCOME_REFUSE)
		return;
	if (sampled_before) {
		coverage_note("no execution graph was completed: random samples%s",
			M.buffers == BUFFERS_UNDEFINED ? " under tso" : "");
		M.status->executions = sampled_before;
		M.bounds |= BOUND_SAMPLING;
		return;
	}
	natural_note();
	if (natural.passed && M.bounds & BOUND_TIME && !M.status->blocked && !M.status->nfindings &&
		!M.options->shard && !M.options->resume[0]) {
		coverage_note("only the first run has ended, under sc and without a search for "
			      "data races");
		M.status->executions = 1;
	}
}
