/* SPDX-License-Identifier: ISC */
/*
 * search.c - the order of executions: phases, bounds, findings.
 *
 * A search is a list of phases, each one strategy with a share of the budget. `mixed` samples first
 * (most bugs show within a few thousand executions), by strategies that find different
 * bugs; then it searches exhaustively for half of the time, then samples for the rest.
 * Any other strategy is one phase.
 */
#include "heap/stack_check.h"
#include "search/search.h"
#include "search/schedule/deepen.h"
#include "search/schedule/first.h"
#include "search/schedule/natural.h"
#include "search/limit/bound.h"
#include "search/schedule/account.h"
#include "search/schedule/phase.h"
#include "failure/search_state.h"
#include "failure/verdict.h"
#include "buffers/buffers.h"
#include "buffers/private.h"
#include "buffers/race.h"
#include "buffers/visible.h"
#include "search/outcome/compare.h"
#include "graph/execute.h"
#include "graph/foresee.h"
#include "failure/failure.h"
#include "cycle/state_cycle.h"
#include "search/outcome/outcome.h"
#include "search/limit/hardware.h"
#include "search/limit/model_file.h"
#include "search/graph/races.h"
#include "machine/learnt.h"
#include "machine/wait/interrupt.h"
#include "failure/shorten_cycle.h"
#include "search/jobs/share.h"
#include "search/state_search.h"
#include "machine/execution/clock.h"
#include "machine/observer/call_stack.h"
#include "machine/observer/tracks.h"
#include "override/override.h"
#include "process/stack.h"
#include "process/sys.h"
#include "process/shared.h"
#include "object/state_table.h"
#include "failure/passing.h"
#include "failure/replay.h"
#include "failure/repeat.h"
#include "machine/execution/execution.h"
#include "search/graph/graph_search.h"

#include <stdio.h>
#include <string.h>

#define MIXED_SAMPLES 10000 /* at first, in so many rounds; later rounds have MIXED_ROUND each */
#define MIXED_ROUNDS  PHASE_SAMPLERS
#define MIXED_ROUND   4096
#define OUTCOME_TIME  2000000 /* minimum microseconds for exploring sc, for the outcomes */
#define SAMPLING_TIME 2000000 /* minimum microseconds of sampling, after graphs */
#define DIRECTED      256     /* samples */

#define TOO_LONG      4	/* times the available time */
#define FAR_TOO_LONG  64 /* the same, if estimates differ widely */
#define SAMPLES_ROUND 256
#define LONG_ROUND    2 /* least samples of a round */
#define FOR_EVER      (1ull << 50) /* microseconds */
#define DFS_STEPS     1000    /* of the natural run: the most for which plain search is tried */

static u64 began; /* clock_ns() */

/* --- phases ---------------------------------------------------------------------------------- */

/* At most n: in a long program the samplers take turns sooner, so that each comes in time. */
static u64 samples_of_round(u64 n)
{
	u64 fewer = n;

	if (natural.ended && natural.steps > FIRST_STEPS)
		fewer = n * FIRST_STEPS / natural.steps;
	return fewer >= LONG_ROUND ? fewer : n < LONG_ROUND ? n : LONG_ROUND;
}

/* Schedules instead of graphs, for so many microseconds: exhaustive up to a bound, then random;
 * under a model that has store buffers. */
static void schedules(u64 microseconds)
{
	u64 end = clock_ns() + microseconds * 1000, now;
	enum model_id model = M.model;

	if (M.buffers == BUFFERS_UNDEFINED)
		machine_set_model(MODEL_OF_SCHEDULES);
	deepen(microseconds / 5 * 4);
	now = clock_ns();
	if (!bounds_stopped() && now < end) {
		clock_phase((end - now) / 1000);
		phase_samples(0, UINT32_MAX, samples_of_round(SAMPLES_ROUND), 0);
	}
	if (!clock_is_over)
		M.bounds &= ~(u32)BOUND_TIME;
	machine_set_model(model);
}

/* The rest of so many microseconds since the search began. */
static u64 search_time_left(u64 microseconds)
{
	u64 passed = (clock_ns() - began) / 1000;

	return microseconds > passed ? microseconds - passed : 0;
}

static bool mixed(void)
{
	const struct options *o = M.options;
	u64 half = o->time ? began + o->time * 500 : 0;
	u64 share = o->executions ? o->executions / 4 + 1 : MIXED_SAMPLES;
	struct phase exhaust = {STRATEGY_DFS, o->executions ? o->executions / 2 : 0, half, 0};
	struct status *s = M.status;
	u64 sampled, failed;
	bool all;

	share = share < MIXED_SAMPLES ? share : MIXED_SAMPLES;
	phase_samples(0, MIXED_ROUNDS,
		samples_of_round((share + MIXED_ROUNDS - 1) / MIXED_ROUNDS),
		o->time ? began + o->time * 100 : 0);
	if (bounds_stopped())
		return false;
	sampled = s->executions;
	failed = s->failing;
	if (natural.steps > DFS_STEPS) {
		schedules(o->time ? search_time_left(o->time) : FOR_EVER);
		return false;
	}
	M.bounds = 0;
	s->executions = s->blocked = s->cut = s->failing = 0;
	all = phase_run(&exhaust);
	if (all && (s->failing || !failed))
		return true;
	s->executions += sampled;
	s->failing += failed;
	if (all || bounds_stopped())
		return all;
	phase_samples(MIXED_ROUNDS, UINT32_MAX, MIXED_ROUND, 0);
	return false;
}

/* --- state cycles ----------------------------------------------------------------------------- */

/* The program on the store-buffer machine under SC, by schedules that let threads starve
 * (shorten_cycle.h). The search's figures are unchanged, except for failing executions. */
static bool probe(void)
{
	struct phase p = {
		STRATEGY_RANDOM, PROBE_EXECUTIONS, 0, 0, &strategy_fair, cpu_ns() + PROBE_NS};
	struct status *s = M.status;
	struct search_state search;
	u64 failing = s->failing;
	u32 bounds;

	p.until = M.options->time ? clock_ns() + M.options->time * 1000 / PROBE_SHARE : 0;

	search_push(&search);
	M.bounds = 0;
	machine_set_model(MODEL_SC);
	M.max_steps = M.max_steps < PROBE_STEPS ? M.max_steps : PROBE_STEPS;
	state_cycle_after = PROBE_AFTER;
	s->executions = s->blocked = 0;
	phase_run(&p);
	state_cycle_after = STATE_CYCLE_STEPS;
	bounds = M.bounds & BOUND_FINDING;
	search_pop(&search);
	M.bounds |= bounds;
	s->executions += s->failing - failing;
	return M.bounds & BOUND_FINDING;
}

/* The same after a search of graphs: a cycle that is no finding is not noted. */
static bool probe_complete(void)
{
	static struct search_state graphs;

	search_push(&graphs);
	if (probe())
		return true;
	search_pop_all(&graphs);
	return false;
}

static bool may_probe(void)
{
	const struct options *o = M.options;

	return o->detect & (DETECT_LIVELOCK | DETECT_STARVATION) && !compare_on() && !override_on &&
	       !o->checkpoint[0] && !o->resume[0] && !outcome_wanted();
}

/* Graphs that do not represent the program: there were too many, or some were too large. */
#define CUT (BOUND_TIME | BOUND_STEPS | BOUND_LONG | BOUND_ROOM | BOUND_HANG)

/* Sample others: for the rest of the time, or, if graphs have ended with a finding, for as long as
 * they took. */
static void sample_rest(void)
{
	u64 now = clock_ns(), passed = (now - began) / 1000;
	bool came_far = !(M.bounds & BOUND_TIME) && M.status->executions;
	bool only_graphs = model_is_file(M.model); /* schedules would be of another model */
	u64 rest = came_far ? passed < SAMPLING_TIME ? SAMPLING_TIME : passed
			    : search_time_left(M.options->time);
	const char *why;

	if (M.status->executions)
		coverage_note("%llu different executions explored; then %srandom samples",
			(unsigned long long)M.status->executions,
			only_graphs ? "" : "schedules and ");
	else
		coverage_note("no execution graph was completed: %s%srandom samples",
			only_graphs ? "" : "schedules",
			only_graphs			  ? ""
			: M.buffers == BUFFERS_UNDEFINED ? " under tso, and "
							 : ", and ");
	M.bounds &= ~(u32)BOUND_TIME;
	if (!only_graphs)
		schedules(M.status->executions ? rest / 5 * 3 : rest / 5 * 4);
	if (bounds_stopped())
		return;
	passed = (clock_ns() - now) / 1000;
	clock_phase(!came_far ? 0 : rest > passed ? rest - passed : 1);
	graph_sample(STRATEGY_MIXED, &why);
	if (came_far && !clock_is_over)
		M.bounds &= ~(u32)BOUND_TIME;
}

/* Would the graphs take several times the available time? */
static bool is_far_from_end(void)
{
	double passed = (double)(clock_ns() - began) / 1000, time = (double)M.options->time;
	u64 all = M.status->estimate, done = M.status->executions;

	if (!done)
		return false;
	if (all)
		return passed * (double)all / (double)done > TOO_LONG * time;
	all = share_least_estimate();
	done += M.status->blocked;
	return passed * (double)all / (double)done > FAR_TOO_LONG * time;
}

/* All execution graphs: until complete, or, without --strategy graph, for three quarters of the
 * time; for an eighth, of CPU time, if no execution has ended by then. */
static bool search_graphs(const char **why, bool *all)
{
	const struct options *o = M.options;
	bool samples = o->time && !o->checkpoint[0] && !o->resume[0] && !o->graphs_only;

	clock_phase(samples ? search_time_left(o->time - o->time / 4) + 1 : 0);
	if (samples)
		clock_early(o->time / 8);
	if (samples && o->jobs == 1)
		clock_review(o->time / 4, is_far_from_end);
	if (!graph_search(why, all)) {
		clock_phase(0);
		return false;
	}
	if (!samples || !(M.bounds & CUT) || M.bounds & (BOUNDS_STOPPING & ~BOUND_TIME) ||
		verdict_failures() || clock_is_over || M.outcome == OUTCOME_REFUSE ||
		M.status->state != STATUS_EXPLORING)
		return true;
	sample_rest();
	*all = false;
	return true;
}

/* By graphs. False: they cannot represent the program, *why. */
static bool by_graphs(enum strategy s, const char **why, bool *all)
{
	*all = false;
	if (strategy_is_walk(s))
		return graph_sample(s, why);
	if (s == STRATEGY_RF || s == STRATEGY_TRACES) {
		bool good = s == STRATEGY_RF ? graph_search_rf(why, all)
					     : graph_search_traces(why, all);

		if (good || (s == STRATEGY_RF && !graph_has_pieces()))
			return good;
		coverage_note("strategy graph, not %s: %s", strategy_name(s), *why);
		M.status->chosen = STRATEGY_GRAPH;
		graph_forget_counts();
	}
	return search_graphs(why, all);
}

/* The same; if a graph grows large, look for a state cycle. */
static bool by_graphs_or_probe(enum strategy s, const char **why, bool *all)
{
	struct status *page = M.status;
	bool asks = may_probe();

	execute_limit = asks ? PROBE_EVENTS : 0;
	if (!by_graphs(s, why, all))
		return false;
	if (asks && graph_has_lockstep() && !(M.bounds & BOUND_FINDING) && !clock_is_over &&
		probe_complete())
		*all = false;
	if (!asks || execute_limit || *all || M.bounds & BOUNDS_STOPPING ||
		page->state != STATUS_EXPLORING)
		return true;
	clock_phase(0);
	if (probe())
		return true;
	if (clock_is_over) {
		M.bounds |= clock_bound();
		return true;
	}
	page->executions = page->blocked = page->failing;
	return by_graphs(s, why, all);
}

/* All execution graphs, or reads-from functions; a program that they cannot represent is sampled
 * and searched on store buffers. */
static bool graphs(enum strategy s)
{
	const char *why;
	bool all;

	if (M.options->call_stacks == CALL_STACKS_GUIDE && !strategy_is_walk(s) &&
		first_directed(DIRECTED))
		return false;
	if (s == STRATEGY_GRAPH && first_of_long_program())
		return false;
	if (by_graphs_or_probe(s, &why, &all))
		return all;
	if (M.options->model == MODEL_AUTO)
		machine_set_model(M.status->model = M.status->chosen_model = MODEL_OF_SCHEDULES);
	if (M.buffers == BUFFERS_UNDEFINED || compare_on()) {
		snprintf(M.status->note, sizeof M.status->note,
			compare_on() ? "cannot be compared, as there are no execution graphs of it "
				       "(%s): %s"
				     : "cannot be explored under %.200s: %s (--model tso can)",
			model_is_file(M.model) ? M.options->cat : model_name(M.model), why);
		M.status->state = STATUS_REFUSED;
		M.outcome = OUTCOME_REFUSE;
		return false;
	}
	coverage_note("strategy mixed, not %s: %s", strategy_name(s), why);
	M.status->chosen = STRATEGY_MIXED;
	M.bounds = 0;
	M.status->executions = M.status->blocked = M.status->failing = M.status->nfindings = 0;
	M.status->cut = 0;
	outcome_clear();
	return mixed();
}

/* Report outcomes; sc is explored for that as long as the search took. */
static void outcomes(void)
{
	u64 passed = (clock_ns() - began) / 1000, left = M.options->time;

	if (M.outcome == OUTCOME_REFUSE || M.status->state != STATUS_EXPLORING)
		return;
	left = !left || left > 2 * passed ? passed : left > passed ? left - passed : 0;
	left = left < OUTCOME_TIME ? OUTCOME_TIME : left;
	clock_reserve(0);
	if (compare_on())
		compare_end(left, graph_search);
	if (outcome_wanted())
		outcome_end(compare_on() ? M.status->compare.portable != PORTABLE_UNKNOWN
					 : M.model == MODEL_SC ||
						   compare_mark(MODEL_SC, left, graph_search));
}

/* All executions are blocked: nothing has been tested to its end. Strategy states says that
 * threads loop for ever; a shard has only a part. */
static bool none_has_ended(void)
{
	return !M.status->executions && M.status->blocked && !M.status->nfindings &&
	       !M.options->shard && M.options->strategy != STRATEGY_STATES;
}

static int exit_code(void)
{
	if (M.outcome == OUTCOME_REFUSE || M.status->state == STATUS_DIVERGED)
		return 2;
	if (compare_on() && M.status->compare.portable != PORTABLE)
		return M.status->compare.portable == PORTABLE_NOT ? 1 : 3;
	if (verdict_failures()) /* in a comparison: findings of both models */
		return 1;
	if (M.status->unconfirmed)
		return 70;
	return M.status->complete && !none_has_ended() ? 0 : 3;
}

/* Follow and record the choices of a replay file: the execution ends in the same failure, or
 * diverges. */
static int replay(void)
{
	const struct trace *recorded;
	struct status_finding *f = &M.status->findings[0];
	u32 n, *choices = repeat_choices();
	bool exact;

	if (!replay_read(M.options->replay, choices, STATUS_CHOICES, &n, &recorded) ||
		!override_adopt(recorded))
		return 2;
	M.status->strategy = M.options->strategy;
	if (n ? recorded->choices[0].why >= WHY_GRAPH : M.buffers == BUFFERS_UNDEFINED)
		return graph_replay(recorded);
	exact = strategy_is_exact(M.options->strategy);
	engine_use(exact ? &buffers_plan_engine : &buffers_engine);
	M.sampling = !exact && strategy_ops(M.options->strategy)->samples;
	M.fine = M.options->fine;
	engine_step_all(M.options->stepwise);
	M.private = M.options->private == WHEN_ALWAYS;
	races_are_findings = recorded->finding.f.kind == FINDING_RACE;
	stack_check_expect(&recorded->finding.f);
	visible_read(recorded);
	state_cycle_from = (u32)M.options->state_cycle;
	state_cycle_left = recorded->finding.f.kind == FINDING_STARVATION;
	if (M.options->passing)
		return passing_search(recorded, choices, n);
	repeat_execution(choices, n, true);
	if (M.outcome == OUTCOME_REFUSE)
		return 2;
	if (M.explore.diverged || M.outcome != OUTCOME_FAIL || replay_differs(recorded)) {
		replay_explain(recorded);
		return 2;
	}
	M.status->executions = M.status->failing = M.status->nfindings = 1;
	memset(f, 0, sizeof *f);
	f->execution = 1;
	f->finding = M.finding;
	replay_write(f);
	M.fine = false;
	return 1;
}

static int refuse_options(const char *words)
{
	snprintf(M.status->note, sizeof M.status->note, "%s", words);
	M.status->state = STATUS_REFUSED;
	M.outcome = OUTCOME_REFUSE;
	return exit_code();
}

/* A message on conflicting options, or NULL. Options that only tune another strategy (--depth,
 * --seed) are ignored, those that change verdicts are not. */
static const char *contradiction(const struct options *o)
{
	static char words[80];

	if (option_is_bounded(o) && M.model != MODEL_SC)
		return o->delays < DELAYS_ANY ? "--delays needs --model sc"
					      : "--preemptions needs --model sc";
	if (o->strategy != STRATEGY_GRAPH && !strategy_is_walk(o->strategy) &&
		o->strategy != STRATEGY_TRACES && M.buffers == BUFFERS_UNDEFINED) {
		snprintf(words, sizeof words, "--model %s needs --strategy graph, random or pctwm",
			model_name(M.model));
		return words;
	}
	if (o->real_time &&
		((strategy_is_exact(o->strategy) && !option_is_bounded(o)) ||
			o->strategy == STRATEGY_PCTWM ||
			M.buffers == BUFFERS_UNDEFINED))
		return "--real-time needs --strategy dfs, random or pct, and --model sc, tso or "
		       "pso";
	if (o->replay[0])
		return NULL;
	return option_conflict(o) ? option_conflict(o) : hardware_refusal(o);
}

/* Is the length of the natural run needed? */
static bool is_natural_run_wanted(void)
{
	const struct options *o = M.options;

	return (!o->max_steps || (o->strategy == STRATEGY_GRAPH && !o->graphs_only)) &&
	       !compare_on();
}

/* The search itself; returns whether it was exhaustive. */
static bool explore_program(void)
{
	const struct options *o = M.options;
	struct phase only = {o->strategy, 0, 0, 0};
	bool all = false;

	if (option_is_bounded(o) && strategy_is_exact(only.strategy))
		only.strategy = STRATEGY_DFS; /* graphs have no preemptions */
	natural = (struct natural){0};
	first_clear();
	foresee_clear();
	M.status->chosen = only.strategy;
	if (only.strategy == STRATEGY_STATES)
		return state_search();
	if (is_natural_run_wanted())
		natural_run();
	if (M.outcome == OUTCOME_REFUSE)
		return false;
	M.status->max_steps = M.max_steps;
	M.status->levels = M.status->delays = 0;
	M.status->pct = (struct status_pct){0};
	M.status->held[0] = 0;
	if (strategy_is_exact(only.strategy) || only.strategy == STRATEGY_PCTWM ||
		M.buffers == BUFFERS_UNDEFINED)
		all = graphs(only.strategy);
	else if (only.strategy == STRATEGY_MIXED)
		all = mixed();
	else if (o->call_stacks == CALL_STACKS_GUIDE && only.strategy == STRATEGY_RANDOM)
		first_directed(0);
	else if (strategy_ops(only.strategy)->samples)
		phase_sample(only.strategy);
	else
		all = phase_run(&only);
	if (M.bounds & BOUND_STEPS && !verdict_failures() && M.buffers != BUFFERS_UNDEFINED &&
		may_probe() && M.status->state == STATUS_EXPLORING && M.outcome != OUTCOME_REFUSE)
		probe();
	if (!all && !strategy_is_exact(M.status->strategy) &&
		strategy_ops(M.status->strategy)->samples && !(M.bounds & BOUND_FINDING))
		M.bounds |= BOUND_SAMPLING;
	first_count();
	return all;
}

/* The explorer did not return in time, and was abandoned: its results are in the status page. */
static void leave_explorer(const struct options *o)
{
	M.options = o;
	M.in_execution = false;
	machine_exploring = 0;
	repeat_record(false);
	engine_use(&buffers_engine);
	compare_left();
	M.bounds |= clock_bound();
	first_count();
	if (account_unrecorded())
		M.status->nchoices = M.status->unrecorded = account_unrecorded();
}

/* False: the orders or the model in the file of an option are refused. */
static bool prepare_search(const struct options *o)
{
	began = clock_ns();
	visible_clear();
	private_give_up();
	private_pays_begin();
	M.private = races_are_findings = false;
	execute_promote_none();
	learnt_begin(o, interrupts_update);
	M.outcome = OUTCOME_EXIT;
	if (!override_begin(o) || !model_file_begin(o))
		return false;
	if (o->judged)
		stack_init();
	call_stacks_begin(o);
	tracks_begin(o);
	return true;
}

int search(void)
{
	const struct options *const o = M.options;
	const char *wrong;
	static void *states;
	bool all = false;

	if (!prepare_search(o)) {
		M.outcome = OUTCOME_REFUSE;
		return exit_code();
	}
	wrong = contradiction(o);
	if (wrong)
		return refuse_options(wrong);
	states = states ? states : shared_pages(STATE_TABLE_SIZE);
	state_table_begin(states);
	repeat_choices(); /* its memory, now: what is found has to be repeated */
	if (o->replay[0])
		return replay();
	if (compare_on())
		clock_reserve(outcome_reserve());
	if (!clock_escape()) {
		all = explore_program();
		if (!all && !M.bounds)
			M.bounds = clock_bound();
		hardware_end();
		M.status->bounds = M.bounds;
		M.status->complete =
			all && !(M.bounds & BOUNDS_INCOMPLETE) && !M.status->unconfirmed;
		races_advise();
		outcomes();
	} else {
		leave_explorer(o);
		M.status->bounds = M.bounds;
	}
	clock_may_escape = false;
	if (clock_is_over && !compare_on() && !o->shard) /* a shard counts a part only */
		verdict_settle();
	override_end(o);
	return exit_code();
}
