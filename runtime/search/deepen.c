/* SPDX-License-Identifier: ISC */
/* deepen.c - see deepen.h. */
#include "search/deepen.h"
#include "machine/clock.h"
#include "machine/execution.h"
#include "process/sys.h"
#include "search/natural.h"
#include "search/phase.h"

#define LEVELS	  8
#define MISJUDGED 1000 /* times as long as it will take, a search may look */

/* Bounds that void a level; that of the level itself does not. */
#define VOID (PHASE_INCOMPLETE & ~(u32)BOUND_PREEMPTIONS)

struct level {
	u64 executions, nanoseconds;
	bool all; /* it has seen all executions of its kind; */
	bool more; /* there are others */
};

static struct level search_level(u32 k, u64 nanoseconds)
{
	static struct options o; /* replay files have them */
	const struct options *asked = M.options;
	const struct phase p = {.strategy = STRATEGY_DFS, .worth = MISJUDGED * nanoseconds};
	u64 start = clock_ns(), executions = M.status->executions + M.status->blocked;
	u32 bounds = M.bounds;
	struct level l;

	o = *asked;
	o.preemptions = k;
	M.options = &o;
	M.max_preemptions = k;
	M.bounds = 0;
	l.all = phase_run(&p) && !(M.bounds & VOID);
	l.more = M.bounds & BOUND_PREEMPTIONS;
	l.executions = M.status->executions + M.status->blocked - executions;
	l.nanoseconds = clock_ns() - start;
	M.bounds = bounds | (M.bounds & PHASE_STOPPED);
	M.max_preemptions = PREEMPTIONS_ANY;
	M.options = asked;
	return l;
}

/* Nanoseconds that level k is expected to take. */
static double predict(const struct level *before, const struct level *last, u32 k)
{
	double ratio = (double)natural.steps * (natural.threads ? natural.threads : 1) / k;

	if (before->executions && (double)last->executions / (double)before->executions < ratio)
		ratio = (double)last->executions / (double)before->executions;
	return (double)last->nanoseconds * ratio;
}

void deepen(u64 microseconds)
{
	u64 end = clock_ns() + microseconds * 1000;
	struct level before = {0}, last = {0};
	enum model_id model = M.model;

	machine_set_model(MODEL_SC);
	M.status->levels = 0;
	for (u32 k = 0; k < LEVELS && !phase_is_stopped(); k++) {
		u64 now = clock_ns();

		if (now >= end || (k && predict(&before, &last, k) > (double)(end - now) / 2))
			break;
		clock_phase((end - now) / 1000);
		before = last;
		last = search_level(k, end - now);
		if (!clock_is_over && !(M.bounds & BOUND_FINDING))
			M.bounds &= ~(u32)BOUND_TIME;
		if (!last.all)
			break;
		M.status->levels = k + 1;
		if (!last.more) /* all there are under SC */
			break;
	}
	machine_set_model(model);
}
