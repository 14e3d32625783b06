/* SPDX-License-Identifier: ISC */
/*
 * traces_search.c - the search of --strategy traces, by one process or several.
 *
 * One process makes some executions, which are all of most programs. If there are more, the search
 * is divided into parts (traces.h), which all processes take in turn (sample_share.h).
 */
#include "search/graph/graph_search.h"
#include "graph/execute.h"
#include "machine/execution/clock.h"
#include "machine/execution/slots.h"
#include "process/shared.h"
#include "search/jobs/divergence.h"
#include "search/jobs/sample_share.h"
#include "search/limit/bound.h"
#include "search/limit/left_out.h"
#include "traces/traces.h"

#include <stdio.h>
#include <string.h>

#define PARTS	  64 /* for each process */
#define FIRST_CUT 3

static struct traces traces;

static struct traces_common {
	volatile u32 unfinished; /* processes that have left something out */
	volatile bool restart;
	u32 bounded;
	char refusal[EXECUTE_WORDS];
} *common; /* in shared memory */

/* Until the end, or until stopped; facts about the program that are new begin it again. */
static void run_traces(struct trust *trust)
{
	for (traces_run(&traces);
		trust->answer == ANSWER_RESTART && !traces.refusal && !graph_bound_met();
		traces_run(&traces))
		graph_forget_counts();
}

/* --- parts ------------------------------------------------------------------------------------ */

static bool take_none(__attribute__((unused)) u64 part)
{
	return false;
}

static bool take_part(u64 part)
{
	return !common->restart && !common->refusal[0] && samples_take(part);
}

/* As many parts as the processes need, if there are so many. */
static void choose_cut(struct trust *trust)
{
	u64 enough = PARTS * M.options->jobs;

	traces.takes = take_none;
	traces.cut = FIRST_CUT;
	for (run_traces(trust); trust->over && traces.cuts && traces.parts < enough;
		run_traces(trust))
		traces.cut += traces.cut / 2;
	traces.takes = take_part;
}

static bool explore_trace_parts(__attribute__((unused)) u32 process, const void *ctx)
{
	struct trust *trust = (struct trust *)(uintptr_t)ctx;

	traces_run(&traces);
	divergence_end(trust);
	common->restart |= trust->answer == ANSWER_RESTART;
	if (traces.refusal && trust->answer != ANSWER_STOP && !common->refusal[0])
		snprintf(common->refusal, sizeof common->refusal, "%s", traces.refusal);
	if (execute_stopped() != EXECUTE_GOES_ON && execute_stopped() != EXECUTE_STOPPED)
		samples_problem(execute_stopped(), execute_words());
	__atomic_or_fetch(&common->bounded, trust->bounded, __ATOMIC_RELAXED);
	if (!trust->over)
		__atomic_add_fetch(&common->unfinished, 1, __ATOMIC_RELAXED);
	return false; /* it is the only round of this process */
}

/* False: a fact about the program is new, and nothing has been explored. */
static bool run_trace_processes(struct trust *trust)
{
	u32 bounds = M.bounds;

	memset(common, 0, sizeof *common);
	execute_finish();
	samples_make(&(struct samples){
		1, (u32)M.options->jobs, explore_trace_parts, trust, .parts = true, .local = true});
	if (!common->restart || bounds_stopped())
		return true;
	M.bounds = bounds;
	graph_forget_counts();
	return false;
}

/* The rest of the program is explored by processes; *all: completely. */
static void divide_search(struct trust *trust, bool *all)
{
	graph_forget_counts();
	do {
		choose_cut(trust);
		if (!trust->over)
			return;
	} while (!run_trace_processes(trust));
	trust->bounded |= common->bounded;
	trust->over = !common->unfinished && !(M.bounds & BOUND_EXECUTIONS);
	*all = trust->over && !left_out(trust);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Is the search over after some executions by this process alone? */
static bool traces_end_soon(struct trust *trust)
{
	static struct options few;
	const struct options *asked = M.options;
	bool over;

	few = *asked;
	few.executions = PARTS * asked->jobs;
	if (asked->executions && asked->executions < few.executions)
		few.executions = asked->executions;
	M.options = &few;
	run_traces(trust);
	over = trust->over || traces.refusal || few.executions == asked->executions ||
	       M.bounds & BOUNDS_STOPPING & ~(u32)BOUND_EXECUTIONS || clock_is_up;
	M.options = asked;
	if (!over)
		M.bounds &= ~(u32)BOUND_EXECUTIONS;
	return over;
}

static const char *refusal(void)
{
	return traces.refusal ? traces.refusal : common->refusal[0] ? common->refusal : NULL;
}

bool graph_search_traces(const char **why, bool *all)
{
	struct trust *trust = graph_begin(graph_program());

	*all = false;
	*why = "not enough memory for execution graphs";
	common = common ? common : shared_pages(sizeof *common);
	if (!trust || !common)
		return false;
	common->refusal[0] = 0;
	M.status->strategy = STRATEGY_TRACES;
	traces_init(&traces, trust);
	trust->fixed = true;
	if (M.options->jobs == 1) {
		run_traces(trust);
		*all = trust->over && !left_out(trust);
	} else {
		thread_slots_begin();
		if (traces_end_soon(trust))
			*all = trust->over && !left_out(trust);
		else
			divide_search(trust, all);
	}
	divergence_end(trust);
	graph_end();
	if (refusal() && trust->answer != ANSWER_STOP) {
		*why = refusal();
		return false;
	}
	return samples_stopped() ? graph_ended_well(samples_stopped(), samples_words(), why)
				 : graph_ended_well(execute_stopped(), execute_words(), why);
}
