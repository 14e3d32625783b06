/* SPDX-License-Identifier: ISC */
/*
 * graph_search.c - the search of --strategy graph: TruSt over the native program, findings, bounds.
 */
#include "buffers/buffers.h"
#include "search/graph/classes.h"
#include "search/outcome/compare.h"
#include "graph/deps.h"
#include "graph/execute.h"
#include "graph/region.h"
#include "history/history.h"
#include "search/graph/graph_finding.h"
#include "search/graph/graph_leaf.h"
#include "search/limit/hardware.h"
#include "search/limit/model_file.h"
#include "search/limit/left_out.h"
#include "search/outcome/outcome.h"
#include "search/graph/races.h"
#include "process/pages.h"
#include "search/jobs/sample_share.h"
#include "search/jobs/shard.h"
#include "search/jobs/divergence.h"
#include "search/jobs/share.h"
#include "search/jobs/worker.h"
#include "machine/execution/clock.h"
#include "machine/observer/reach.h"
#include "rf/rf.h"
#include "trust/random/random_graph.h"
#include "trust/trust_symmetry.h"
#include "object/state_table.h"
#include "search/graph/graph_search.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static struct trust *trust;
static void *memory;

/* --- an execution is over -------------------------------------------------------------------- */

bool graph_bound_met(void)
{
	u64 all = share_counted();

	if ((M.options->executions && all >= M.options->executions) || classes_enough())
		M.bounds |= BOUND_EXECUTIONS;
	else if (clock_is_up)
		M.bounds |= clock_bound();
	else
		return false;
	return true;
}

/* --symmetry auto: so many executions, and then names of threads are ignored. */
#define PATIENCE 20000

static struct {
	bool waits, due;
} symmetry;

/* There are many executions, and twins: the search begins again, as one up to names. */
static bool becomes_symmetric(void)
{
	const struct status *s = M.status;

	if (likely(!symmetry.waits) || s->executions + s->blocked < PATIENCE)
		return false;
	symmetry.waits = false;
	symmetry.due = !s->failing && !worker_is_one() && symmetry_is_possible(trust);
	return symmetry.due;
}

/* Of several processes, one finds that out. */
static bool symmetry_may_come(const struct trust *x)
{
	return symmetry.waits && symmetry_is_possible(x);
}

static bool account_leaf(struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	struct status *s = M.status;
	const u64 before[] = {s->executions, s->blocked, s->failing, s->cut};
	u32 n;
	bool over, goes_on;

	if (unlikely(g->model->completes) && !g->model->completes(g))
		return !graph_bound_met() && share_leaf();
	n = how == LEAF_STUCK || how == LEAF_BLOCKED ? trust_sleep(trust) : g->n;
	goes_on = graph_leaf_judge(g, how, t, other, &over) != SEARCH_STOPS;

	if (over && unlikely(!shard_has_leaf()) && goes_on) {
		s->executions = before[0];
		s->blocked = before[1];
		s->failing = before[2];
		s->cut = before[3];
	}
	if (over)
		classes_note(g);
	if (over && s->executions != before[0])
		outcome_count_graph(g, &trust->cache);
	trust_awake(trust, n);
	if (!over)
		return true;
	if (unlikely(trust->cut))
		return goes_on && !graph_bound_met();
	if (M.status->strategy != STRATEGY_GRAPH) /* other strategies do not share work */
		return goes_on && !graph_bound_met();
	if (unlikely(state_table_is_full())) {
		execute_give_up(state_table_limit);
		return false;
	}
	return goes_on && (!graph_bound_met() || share_repeats()) && !becomes_symmetric() &&
	       share_leaf();
}

/* --- the search ------------------------------------------------------------------------------ */

static struct program program = {.next = execute_next,
	.try = execute_try,
	.leaf = account_leaf,
	.passes = graph_leaf_passes,
	.refine = region_refine,
	.enough = execute_enough,
	.up = &clock_is_up};

struct program *graph_program(void)
{
	return &program;
}

struct trust *graph_begin(struct program *p)
{
	static struct trust state;

	trust = &state;
	if (memory)
		madvise(memory, TRUST_MEMORY, MADV_DONTNEED);
	else
		memory = pages_take(TRUST_MEMORY);
	if (!memory)
		return NULL;
	if (!graph_leaf_begin(trust))
		return NULL;
	memset(trust, 0, sizeof *trust);
	trust_init(trust, memory, TRUST_MEMORY, M.model, p);
	trust->weak_cas = M.options->weak_cas == WEAK_CAS_AUTO ? TRUST_ANY : M.options->weak_cas;
	trust->races = M.options->races != RACES_IGNORE && M.options->detect & DETECT_RACE;
	trust->lenient = graph_leaf_is_lenient(); /* found by another search of this program */
	trust->heap_uses = M.options->detect & DETECT_HEAP;
	trust->heap = trust->heap_uses || M.options->reuse != REUSE_NEVER;
	trust->heap_cause = !trust->races || execute_promotes_races();
	trust->sleepers_last = M.options->sleepers == SLEEPERS_LAST;
	trust->places->hardware =
		(struct hardware){.dependencies = M.options->dependencies,
			.llsc = M.options->arch_rmw == ARCH_RMW_LLSC,
			.rcpc = M.options->rcpc};
	trust->places->cat = model_file();
	trust_clear(trust);
	if (!execute_init(trust->graph.places, &trust->cache) ||
		!deps_init(trust->graph.places, hardware_tracks(M.options)))
		return NULL;
	engine_use(&graph_engine);
	M.sampling = false;
	M.status->strategy = STRATEGY_GRAPH;
	return trust;
}

void graph_end(void)
{
	execute_finish();
	engine_use(&buffers_engine);
}

static void diverged(const char *words)
{
	snprintf(M.status->note, sizeof M.status->note, "the program is not deterministic: %s",
		words);
	M.status->state = STATUS_DIVERGED;
}

bool graph_ended_well(enum execute_stop how, const char *words, const char **why)
{
	switch (how) {
	case EXECUTE_UNSUPPORTED:
		*why = words;
		return false;
	case EXECUTE_DIVERGED:
		diverged(words);
		break;
	case EXECUTE_UNCONFIRMED: /* the status page says more */
		break;
	case EXECUTE_REFUSED:
		M.outcome = OUTCOME_REFUSE;
		break;
	case EXECUTE_STOPPED: graph_bound_met(); break;
	case EXECUTE_GOES_ON:
		break;
	}
	return true;
}

/* Parameters of pctwm in turn with random: the best ones in tests/bench/samplers.sh. */
#define MIXED_DEPTH   6
#define MIXED_HISTORY 4

#define LEARNT_BY 16 /* walks */

static enum strategy sampler; /* random, pctwm, or mixed: in turn */

static enum strategy sampler_of(u64 walk)
{
	return sampler != STRATEGY_MIXED ? sampler : walk % 2 ? STRATEGY_PCTWM : STRATEGY_RANDOM;
}

/* A walk; again, with the same random numbers, where one has taught something of the program.
 * False: a bound is reached, or a finding is enough. */
static bool sample_graph(struct prng *prng, struct pctwm *guide)
{
	const struct prng begin = *prng;

	while (!walk(trust, prng, guide)) {
		if (trust->answer != ANSWER_RESTART || graph_bound_met())
			return false;
		*prng = begin;
	}
	return true;
}

/* n walks with the seed, until a bound is reached, or (false) a finding is enough. */
static bool sample_graphs(u64 seed, u64 n)
{
	struct prng prng;
	struct pctwm guide;

	prng_seed(&prng, seed);
	if (sampler == STRATEGY_MIXED)
		pctwm_init(&guide, MIXED_DEPTH, MIXED_HISTORY);
	else
		pctwm_init(&guide, (u32)M.options->depth, (u32)M.options->history);
	for (u64 i = 0; i < n; i++) {
		M.status->strategy = sampler_of(i);
		if (!sample_graph(&prng,
			    M.status->strategy == STRATEGY_PCTWM ? &guide : NULL) ||
			execute_stopped() != EXECUTE_GOES_ON)
			return false;
	}
	return true;
}

/* A round of several processes. */
static bool sample_part(u32 number, __attribute__((unused)) const void *ctx)
{
	if (sample_graphs(M.options->seed + samples_seed(number), samples_size(number)))
		return true;
	divergence_end(trust);
	if (execute_stopped() != EXECUTE_GOES_ON && execute_stopped() != EXECUTE_STOPPED)
		samples_problem(execute_stopped(), execute_words());
	return false;
}

static bool ignore_leaf(__attribute__((unused)) struct program *p,
	__attribute__((unused)) const struct graph *g, __attribute__((unused)) enum leaf how,
	__attribute__((unused)) u32 t, __attribute__((unused)) u32 other)
{
	return !clock_is_up;
}

/* What walks teach of the program (shared locations, threads) influences the next ones. So that all
 * rounds begin with the same knowledge, in whichever process, some walks come first, which do not
 * count. */
static void learn_program(void)
{
	u64 steps = M.status->steps;
	struct prng prng;

	prng_seed(&prng, M.options->seed);
	program.leaf = ignore_leaf;
	for (u32 i = 0; i < LEARNT_BY; i++)
		if (!walk(trust, &prng, NULL) && trust->answer != ANSWER_RESTART)
			break;
	program.leaf = account_leaf;
	M.status->steps = steps;
}

/* False: see graph_sample(). */
static bool sample_by_rounds(const char **why)
{
	learn_program();
	execute_finish();
	samples_make_all(sample_part, NULL);
	graph_end();
	return samples_stopped() ? graph_ended_well(samples_stopped(), samples_words(), why)
				 : graph_ended_well(execute_stopped(), execute_words(), why);
}

bool graph_sample(enum strategy strategy, const char **why)
{
	*why = "not enough memory for execution graphs";
	if (!graph_begin(&program))
		return false;
	sampler = strategy;
	M.status->strategy = strategy; /* the one of each walk: sample_graphs() */
	/* Of --strategy mixed they take what is left of the time. */
	if (M.options->jobs > 1 || M.options->shard || strategy != STRATEGY_MIXED)
		return sample_by_rounds(why);
	sample_graphs(M.options->seed, UINT64_MAX);
	divergence_end(trust);
	graph_end();
	return graph_ended_well(execute_stopped(), execute_words(), why);
}

bool graph_has_pieces(void)
{
	return trust->places->mixed;
}

bool graph_has_lockstep(void)
{
	return trust->lockstep;
}

void graph_forget_counts(void)
{
	outcome_clear();
	M.status->executions = M.status->blocked = M.status->failing = M.status->estimate = 0;
	M.status->cut = 0;
}

bool graph_search_rf(const char **why, bool *all)
{
	static struct rf rf;

	*all = false;
	*why = "not enough memory for execution graphs";
	if (!graph_begin(&program))
		return false;
	M.status->strategy = STRATEGY_RF;
	rf_init(&rf, trust);
	trust->fixed = true;
	for (rf_run(&rf);
		trust->answer == ANSWER_RESTART && !graph_has_pieces() && !graph_bound_met();
		rf_run(&rf))
		graph_forget_counts();
	divergence_end(trust);
	graph_end();
	if (graph_has_pieces()) {
		*why = "atomic accesses of different sizes overlap";
		return false;
	}
	*all = trust->over && !left_out(trust);
	return graph_ended_well(execute_stopped(), execute_words(), why);
}

/* Accesses to a block become few events. Not with a checkpoint: another process would not know the
 * blocks. */
static void begin_regions(void)
{
	const struct options *o = M.options;

	if (!o->unreduced && o->reuse == REUSE_NEVER && !o->checkpoint[0] && !o->resume[0] &&
		!o->shard && !compare_on() && !compare_marking() && !compare_seeking())
		region_begin(o->regions);
}

/* Are executions one that differ in the names of threads? Not where these are compared, nor in a
 * file that another process goes on from; a thread that has failed is not like the others; and a
 * race that does not end an execution is seen in one order only. */
static bool is_symmetry_allowed(const struct options *o)
{
	return o->symmetry != WHEN_NEVER && !o->unreduced && !o->keep_going &&
	       o->reuse == REUSE_NEVER && !o->checkpoint[0] && !o->resume[0] && !o->shard &&
	       !compare_on() && !compare_marking() && !compare_seeking() &&
	       !model_is_hardware(M.model);
}

/* May it begin later? */
static bool symmetry_waits(const struct options *o)
{
	return o->symmetry == WHEN_AUTO && !o->graphs_only && !symmetry.due &&
	       o->equivalence == EQUIVALENCE_RF_CO && !outcome_wanted() && is_symmetry_allowed(o);
}

/* As account_leaf(), of an execution with load buffering: after all others, in one process. */
static bool account_buffering(
	struct program *p, const struct graph *g, enum leaf how, u32 t, u32 other)
{
	bool over, goes_on = graph_leaf_judge(g, how, t, other, &over) != SEARCH_STOPS;

	if (over && how == LEAF_COMPLETE)
		outcome_count_graph(g, &trust->cache);
	return goes_on && !graph_bound_met();
}

/* Is an execution judged without the reads that main makes last? */
static bool may_shorten(const struct options *o)
{
	return !trust->rf && !trust->symmetric && !(o->detect & (DETECT_LEAK | DETECT_THREADS)) &&
	       !reach_table && !compare_on() && !compare_marking() && !compare_seeking() &&
	       !history_wanted() && !classes_wanted() && !trust->graph.model->is_file &&
	       !model_is_hardware(M.model);
}

/* Search with M.options->equivalence, never auto. */
static bool search_by(const char **why, bool *all)
{
	bool buffered = true;

	*all = false;
	*why = "not enough memory for execution graphs";
	if (!graph_begin(&program))
		return false;
	M.status->equivalence = M.options->equivalence;
	trust->rf = M.options->equivalence == EQUIVALENCE_RF;
	trust->unrolls =
		M.options->detect & DETECT_STARVATION; /* for state cycles (shorten_cycle.h) */
	trust->reduces = !M.options->unreduced;
	trust->symmetric = (M.options->symmetry == WHEN_ALWAYS || symmetry.due) &&
			   is_symmetry_allowed(M.options);
	symmetry.waits = symmetry_waits(M.options);
	trust->short_leaves = may_shorten(M.options);
	begin_regions();
	share_explore(trust, symmetry_may_come);
	if (M.options->jobs > 1)
		graph_finding_order();
	if (trust->over && share_stopped() == EXECUTE_GOES_ON &&
		!(M.bounds & ~(u32)BOUND_CAS_VALUE))
		buffered = hardware_search(trust, account_buffering);
	M.status->twins = trust->symmetric ? trust->awaits->twins & ~trust->awaits->different : 0;
	graph_end();
	if (M.options->equivalence == EQUIVALENCE_RF && !trust->rf) {
		M.status->equivalence = EQUIVALENCE_RF_CO;
		coverage_note("--equivalence rf+co, not rf: %s",
			trust->clock ? "--sleepers last"
				     : "atomic accesses of different sizes overlap");
	}
	*all = trust->over && buffered && !left_out(trust);
	return share_stopped() == EXECUTE_GOES_ON
		       ? graph_ended_well(execute_stopped(), execute_words(), why)
		       : graph_ended_well(share_stopped(), share_words(), why);
}

/* --equivalence auto: explore the first executions of rf+co. If these are not all, the number of
 * reads-from functions among them shows which equivalence explores less. The choice does not depend
 * on time, so that it, and the counts, are the same on every machine. */
static bool search_auto(const char **why, bool *all)
{
	static struct options o;
	const struct options *asked = M.options;
	bool good;

	o = *asked;
	o.equivalence = EQUIVALENCE_RF_CO;
	o.jobs = 1;
	if (!o.executions || o.executions > CLASSES_PROBE)
		o.executions = CLASSES_PROBE;
	M.options = &o;
	classes_begin();
	good = search_by(why, all);
	o.equivalence = classes_end() ? EQUIVALENCE_RF : EQUIVALENCE_RF_CO;
	if (!good || *all || M.bounds != BOUND_EXECUTIONS || o.executions == asked->executions ||
		M.outcome == OUTCOME_REFUSE || M.status->state != STATUS_EXPLORING) {
		M.options = asked;
		return good;
	}
	outcome_clear();
	compare_clear();
	M.status->executions = M.status->blocked = M.status->failing = M.status->estimate = 0;
	M.status->cut = 0;
	M.bounds = 0;
	o.executions = asked->executions;
	o.jobs = asked->jobs;
	good = search_by(why, all);
	M.options = asked;
	return good;
}

bool graph_search(const char **why, bool *all)
{
	u32 bounds = M.bounds;
	bool good;

	symmetry.due = false;
	if (M.options->equivalence == EQUIVALENCE_AUTO)
		return search_auto(why, all);
	good = search_by(why, all);
	if (!symmetry.due)
		return good;
	graph_forget_counts();
	M.bounds = bounds;
	good = search_by(why, all);
	symmetry.due = false;
	return good;
}
