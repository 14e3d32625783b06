/* SPDX-License-Identifier: ISC */
/* option_conflict.c - options that cannot be combined. */
#include "base/option.h"

/* In a file: dependencies are those that are tracked, if any. */
static const char *file_conflict(const struct options *o)
{
	if (!o->cat[0])
		return "--model cat: name a file, --model FILE.cat";
	if (model_is_file(o->model) && model_is_file(o->from))
		return "--from, --to: only one of them can be a file";
	if (model_is_file(o->model) && o->strategy != STRATEGY_GRAPH)
		return "--model FILE.cat needs --strategy graph";
	if (model_is_file(o->model) && o->equivalence != EQUIVALENCE_RF_CO)
		return "--model FILE.cat needs --equivalence rf+co";
	if (model_is_file(o->model) && o->sleepers == SLEEPERS_LAST)
		return "--model FILE.cat: not with --sleepers last";
	return NULL;
}

static const char *hardware_conflict(const struct options *o)
{
	if (model_is_file(o->model) || model_is_file(o->from))
		return file_conflict(o);
	if (o->rcpc && !model_has(o->model, TRAIT_RCPC))
		return "--rcpc needs --model arm8";
	if (!model_is_hardware(o->model))
		return o->dependencies != DEPENDENCIES_TRACKED || o->arch_rmw != ARCH_RMW_LSE
			       ? "--deps and --arch-rmw need --model arm8, power, riscv or imm"
			       : NULL;
	if (o->dependencies == DEPENDENCIES_TRACKED && o->regions)
		return "--regions: not with the dependencies of a program (--deps tracked)";
	if (o->equivalence != EQUIVALENCE_RF_CO)
		return "--model arm8, power, riscv and imm need --equivalence rf+co";
	return NULL;
}

/* Reductions that cannot be combined. */
static const char *reduction_conflict(const struct options *o)
{
	if (o->unreduced && o->strategy == STRATEGY_TRACES)
		return "--unreduced: not with --strategy traces, which is a reduction";
	if (o->unreduced && o->regions)
		return "--unreduced: not with --regions";
	if (o->symmetry == WHEN_ALWAYS &&
		(o->unreduced || o->keep_going || o->checkpoint[0] || o->resume[0] || o->shard ||
			o->equivalence == EQUIVALENCE_RF))
		return "--symmetry always: not with --unreduced, --keep-going, --checkpoint, "
		       "--resume, --shard or --equivalence rf";
	return NULL;
}

/* Of strategy states. */
static const char *states_conflict(const struct options *o)
{
	if (o->model != MODEL_AUTO && !model_has(o->model, TRAIT_MACHINE))
		return "--strategy states needs --model sc, tso or pso";
	if (o->jobs > 1 || o->shard)
		return "--jobs, --shard: not with --strategy states, whose states are in the "
		       "memory of one process: --time and that memory are its bounds";
	if (option_is_bounded(o) || o->loop_bound)
		return "--preemptions, --delays, --loop-bound: not with --strategy states, which "
		       "needs no bounds";
	if (o->private == WHEN_ALWAYS || o->real_time || o->reuse != REUSE_NEVER)
		return "--private always, --real-time, --reuse: not with --strategy states";
	return NULL;
}

/* Of values that are no choices. */
static const char *value_conflict(const struct options *o)
{
	return o->tick < 1 || o->tick > TICK_MOST ? "--tick: 1 to 100000000000 nanoseconds"
						  : NULL;
}

const char *option_conflict(const struct options *o)
{
	bool saves = o->checkpoint[0] || o->resume[0], graph = o->strategy == STRATEGY_GRAPH;
	const char *hardware = hardware_conflict(o);

	if (hardware)
		return hardware;
	if (!graph && saves)
		return "--checkpoint and --resume need --strategy graph";
	if (o->equivalence != EQUIVALENCE_RF_CO && (!graph || option_is_bounded(o)))
		return "--equivalence needs --strategy graph, without --preemptions and --delays";
	if (o->jobs > 1 && o->strategy == STRATEGY_RF)
		return "--jobs: not with --strategy rf, whose executions depend on all before "
		       "them: --strategy graph --equivalence rf";
	if (o->shard && (o->strategy == STRATEGY_RF || o->strategy == STRATEGY_TRACES))
		return "--shard: not with --strategy rf or traces";
	if (o->shard && o->equivalence == EQUIVALENCE_AUTO)
		return "--shard needs --equivalence rf or rf+co, not auto";
	if (o->known_traces == WHEN_ALWAYS &&
		(!option_is_bounded(o) || o->shard || o->jobs > 1))
		return "--known-traces always: with --preemptions or --delays, and not with "
		       "--jobs or --shard: each process would know others";
	if (o->shard && o->private == WHEN_ALWAYS)
		return "--shard: not with --private always";
	if (o->equivalence == EQUIVALENCE_AUTO && saves)
		return "--checkpoint and --resume need --equivalence rf or rf+co, not auto";
	if (o->strategy == STRATEGY_PCTWM && option_is_bounded(o))
		return "--preemptions, --delays: not with --strategy pctwm";
	if (o->strategy == STRATEGY_STATES && states_conflict(o))
		return states_conflict(o);
	if (value_conflict(o))
		return value_conflict(o);
	return reduction_conflict(o);
}
