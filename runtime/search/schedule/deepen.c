/* SPDX-License-Identifier: ISC */
/* deepen.c - see deepen.h. */
#include "search/schedule/deepen.h"
#include "machine/execution/clock.h"
#include "machine/execution/execution.h"
#include "process/sys.h"
#include "search/schedule/natural.h"
#include "search/limit/bound.h"
#include "search/schedule/phase.h"

#define LEVELS	  8
#define MISJUDGED 1000 /* executions without preemption may look so many times more than they are */
#define MISPREDICTED 4 /* and the next level this much */

struct deepen_level {
	u64 executions, nanoseconds;
	double steps; /* of an execution */
	bool all; /* it has covered all executions of its kind; */
	bool more; /* there are others */
};

/* The bounds that kept a level from its end: not the level's own, and without preemption a large
 * operation counts as its parts. */
static u32 void_bounds(u32 bound, u32 k)
{
	return BOUNDS_INCOMPLETE & ~(bound | (k ? 0 : BOUND_RANGE));
}

/* Many more schedules than nanoseconds may lead to few states (prove/known.h). */
static u64 worth_without_preemption(u64 nanoseconds)
{
	const struct options *o = M.options;

	return o->known_traces == WHEN_NEVER || o->jobs > 1 ? MISJUDGED * nanoseconds : 0;
}

static struct deepen_level search_level(u32 bound, u32 k, u64 nanoseconds)
{
	static struct options o; /* replay files contain them */
	const struct options *asked = M.options;
	const struct phase p = {.strategy = STRATEGY_DFS,
		.worth = bound == BOUND_DELAYS ? 2 * nanoseconds
			 : k		       ? 0
					       : worth_without_preemption(nanoseconds),
		.delays = bound == BOUND_DELAYS ? k : 0,
		.deepens = true};
	u64 start = clock_ns(), counted = M.status->executions + M.status->blocked;
	u64 steps = M.status->steps;
	u32 bounds = M.bounds;
	struct deepen_level l;

	o = *asked;
	*(bound == BOUND_DELAYS ? &o.delays : &o.preemptions) = k;
	*(bound == BOUND_DELAYS ? &M.max_delays : &M.max_preemptions) = k;
	M.options = &o;
	M.bounds = 0;
	l.all = phase_run(&p) && !(M.bounds & void_bounds(bound, k));
	l.more = M.bounds & bound;
	l.executions = M.status->executions + M.status->blocked - counted;
	if (l.executions < M.explore.executions) /* with those that were known */
		l.executions = M.explore.executions;
	l.steps = (double)(M.status->steps - steps) / (double)(l.executions + !l.executions);
	l.nanoseconds = clock_ns() - start;
	M.bounds = bounds | (M.bounds & BOUNDS_STOPPING);
	M.max_preemptions = PREEMPTIONS_ANY;
	M.max_delays = DELAYS_ANY;
	M.options = asked;
	return l;
}

/* Nanoseconds that level k is expected to take at most: many executions are known when they have
 * begun (explore/trace_cache.h). */
static double predict(const struct deepen_level *before, const struct deepen_level *last, u32 k)
{
	double ratio = last->steps * (natural.threads ? natural.threads : 1) / k;

	if (before->executions && (double)last->executions / (double)before->executions < ratio)
		ratio = (double)last->executions / (double)before->executions;
	return (double)last->nanoseconds * ratio;
}

/* Run at most n levels with that bound until then; returns the number of finished ones. */
static u32 levels(u32 bound, u64 end, u32 n)
{
	struct deepen_level before = {0}, last = {0};
	u32 k, first = bound == BOUND_DELAYS; /* few with one delay */

	for (k = 0; k < n && !bounds_stopped(); k++) {
		u64 now = clock_ns();

		if (now >= end ||
			(k > first && predict(&before, &last, k) >
						 MISPREDICTED * (double)(end - now)))
			break;
		clock_phase((end - now) / 1000);
		before = last;
		last = search_level(bound, k, end - now);
		if (!clock_is_over && !(M.bounds & BOUND_FINDING))
			M.bounds &= ~(u32)BOUND_TIME;
		if (!last.all)
			break;
		if (!last.more) /* all executions under SC */
			return k + 1;
	}
	return k;
}

void deepen(u64 microseconds)
{
	u64 end = clock_ns() + microseconds * 1000;
	enum model_id model = M.model;
	u32 n;

	machine_set_model(MODEL_SC);
	M.status->levels =
		levels(BOUND_PREEMPTIONS, clock_ns() + microseconds * 1000 / 3 * 2, LEVELS);
	if (M.status->levels) {
		M.status->delays = 0;
	} else if (!bounds_stopped()) {
		n = levels(BOUND_DELAYS, end, LEVELS);
		M.status->delays = n > M.status->delays ? n : M.status->delays;
	}
	machine_set_model(model);
}

void deepen_least(u64 microseconds)
{
	enum model_id model = M.model;

	machine_set_model(MODEL_SC);
	M.status->delays = levels(BOUND_DELAYS, clock_ns() + microseconds * 1000, 1);
	machine_set_model(model);
}
