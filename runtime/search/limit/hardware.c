/* SPDX-License-Identifier: ISC */
/* hardware.c - see hardware.h. */
#include "search/limit/hardware.h"
#include "machine/core.h"
#include "holes/holes.h"
#include "process/coverage.h"
#include "process/module.h"
#include "process/pages.h"
#include "search/outcome/compare.h"
#include "search/limit/model_file.h"
#include "failure/verdict.h"

bool hardware_tracks(const struct options *o)
{
	return o->dependencies == DEPENDENCIES_TRACKED &&
	       (model_is_file(M.model) ? model_file_has_dependencies()
				     : model_is_hardware(M.model));
}

const char *hardware_refusal(const struct options *o)
{
	if (o->symmetry == WHEN_ALWAYS && model_is_hardware(M.model))
		return "--symmetry always: not under models of hardware, or in files";
	if (!hardware_tracks(o) || modules_track_dependencies())
		return NULL;
	return "this program does not track dependencies: compile all of it with heddle-cc --deps, "
	       "or give --deps none or --deps all (heddle help hardware)";
}

/* The executions with load buffering have been explored. */
static bool buffered;

static bool is_explored(const struct options *o)
{
	return !o->checkpoint[0] && !o->resume[0] && !o->shard &&
	       !(compare_on() && o->level == LEVEL_EXECUTIONS && model_is_hardware(o->from));
}

/* Has this process seen all histories of threads, and do they allow no load buffering? */
static bool is_impossible(const struct options *o, struct holes *h)
{
	return o->jobs == 1 && !o->resume[0] && !o->shard && !holes_possible(h);
}

bool hardware_search(struct trust *x,
	bool (*leaf)(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other))
{
	static struct holes holes;
	static void *memory;
	struct program *was = x->program, program = *was;
	u64 executions = M.status->executions, failing = M.status->failing,
	    blocked = M.status->blocked;
	bool over;

	buffered = false;
	if (!model_is_hardware(M.model) || (model_is_file(M.model) && !model_file_has_causes()) ||
		M.options->dependencies == DEPENDENCIES_ALL)
		return true;
	memory = memory ? memory : pages_take(holes_memory());
	if (!memory)
		return true;
	holes_init(&holes, x, memory);
	buffered = is_impossible(M.options, &holes);
	if (buffered || !is_explored(M.options))
		return true;
	program.leaf = leaf;
	x->program = &program;
	while (over = holes_run(&holes), x->answer == ANSWER_RESTART && !holes.limit) {
		M.status->executions = executions;
		M.status->failing = failing;
		M.status->blocked = blocked;
		trust_clear(x);
		holes_init(&holes, x, memory);
	}
	x->program = was;
	/* Or stopped by another bound. */
	buffered = !holes.limit && !holes.stuck && !holes.heap && !holes.passes;
	if (compare_marking() && !buffered)
		M.bounds |= BOUND_BUFFERING;
	if (holes.limit)
		coverage_note("executions with load buffering are left out: %s", holes.limit);
	else if (over && holes.heap)
		coverage_note("in an execution with load buffering, memory may be used before it "
			      "is allocated or after it is freed: this is not checked");
	else if (over && holes.passes)
		coverage_note("executions with load buffering are left out in which a store comes "
			      "before an access whose address depends on a load");
	else if (over && holes.stuck)
		coverage_note("executions with load buffering in which all threads wait for ever "
			      "are left out");
	return over || holes.limit;
}

void hardware_end(void)
{
	const struct options *o = M.options;

	if (model_is_file(M.model)) {
		model_file_end(buffered);
		return;
	}
	if (!model_is_hardware(M.model))
		return;
	if (o->dependencies == DEPENDENCIES_ALL)
		M.bounds |= BOUND_DEPENDENCIES;
	else if (!buffered)
		M.bounds |= BOUND_BUFFERING;
	if (o->dependencies == DEPENDENCIES_NONE && verdict_failures())
		coverage_note("--deps none: no access depends on an earlier one; a failure that "
			      "the program's dependencies prevent may be reported (heddle help "
			      "hardware)");
}
