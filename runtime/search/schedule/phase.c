/* SPDX-License-Identifier: ISC */
/* phase.c - see phase.h. */
#include "search/schedule/phase.h"
#include "failure/repeat.h"
#include "buffers/buffers.h"
#include "buffers/private.h"
#include "buffers/race.h"
#include "buffers/visible.h"
#include "machine/execution/clock.h"
#include "machine/execution/loop_bound.h"
#include "machine/learnt.h"
#include "process/stack.h"
#include "process/sys.h"
#include "prove/known.h"
#include "search/limit/bound.h"
#include "search/outcome/compare.h"
#include "search/schedule/divide.h"
#include "search/outcome/outcome.h"
#include "search/schedule/natural.h"
#include "search/jobs/sample_share.h"
#include "search/schedule/account.h"

#define LOOK	      64  /* executions before the clock is looked at again, */
#define LOOK_STEPS    (1u << 18) /* or so many steps */
#define HOPE	      256 /* executions before its cost is estimated */
#define CHECKED_TWICE 2	  /* the first executions are repeated, to check determinism */

static bool phase_bound_met(const struct phase *p, u64 done)
{
	const struct options *o = M.options;
	u64 all = M.status->executions + M.status->blocked;

	if (unlikely(o->executions && all >= o->executions))
		M.bounds |= BOUND_EXECUTIONS;
	else if (unlikely(clock_is_up))
		M.bounds |= clock_bound();
	else
		return (p->executions && done >= p->executions) ||
		       (p->deepens && o->executions && done >= o->executions) || /* or known */
		       (p->until && (done % LOOK == 0 || M.steps > LOOK_STEPS / LOOK) &&
			       clock_ns() >= p->until) ||
		       (p->cpu_until && done % 8 == 0 && cpu_ns() >= p->cpu_until);
	return true;
}

/* The part of the search that has been done, from 0 to 1, by the choices taken, if the n
 * alternatives of a choice were equal work. */
static double part_done(const struct explore *x)
{
	double all = 1, done = 0;

	for (u32 i = 0; i < x->nlog; i++) {
		all /= x->log[i] >> 16;
		done += (x->log[i] & 0xffff) * all;
	}
	return done;
}

/* The same, if at most k answers of an execution are not 0, of n choices without them: done are
 * those whose first one is later than the current one. */
static double part_done_of_delays(const struct explore *x, u64 k, u32 n)
{
	double part = 1;
	u32 i = 0;

	while (i < x->nlog && !(x->log[i] & 0xffff))
		i++;
	for (; k; k--)
		part *= i < n ? (double)(n - i) / n : 0;
	return part;
}

/* Checked from time to time: would it take too long? choices: of its first execution. */
static bool is_hopeless(const struct phase *p, u64 done, u64 start, u32 choices)
{
	double part;

	if (likely(!p->worth || done < HOPE || done & (done - 1)))
		return false;
	part = p->delays ? part_done_of_delays(&M.explore, p->delays, choices)
			 : part_done(&M.explore);
	return (double)(clock_ns() - start) > part * (double)p->worth;
}

/* Is ordered plain memory private (buffers/private.h)? In samples of an ordinary search, if that
 * pays, and in its bounded phases. dfs takes all steps: other explorers are compared with it. */
static void choose_private(const struct phase *p)
{
	const struct options *o = M.options;

	if (o->private != WHEN_AUTO)
		M.private = o->private == WHEN_ALWAYS;
	else
		M.private = p->deepens || (M.sampling && !p->ops && private_pays());
	if (!M.private)
		return;
	races_are_findings = o->model == MODEL_AUTO && o->detect & DETECT_RACE &&
			     o->races <= RACES_REPORT && !p->ops && !compare_on();
}

static struct counts {
	u64 executions, blocked, failing;
} before; /* the phase */

static void begin_counts(void)
{
	const struct status *s = M.status;

	before = (struct counts){s->executions, s->blocked, s->failing};
}

/* An exhaustive phase has missed executions: it begins again. */
static void restart_phase(const struct phase *p)
{
	struct status *s = M.status;

	if (M.sampling)
		return;
	s->executions = before.executions;
	s->blocked = before.blocked;
	s->failing = before.failing;
	if (!p->deepens)
		outcome_clear();
	explore_start(&M.explore, M.explore.ops, M.explore.options, M.status->choices,
		STATUS_CHOICES, &M.status->nchoices);
	known_states_clear();
}

/* --- the executions of a phase --------------------------------------------------------------- */

static bool run_executions(const struct phase *p)
{
	u64 done = 0, start = clock_ns();
	u32 choices = 0;

	while (!phase_bound_met(p, done) && !is_hopeless(p, done, start, choices)) {
		if (!explore_next(&M.explore))
			return true;
		if (M.explore.cut)
			M.explore.skips = divide_skips();
		choose_private(p);
		if (M.explore.ops->knows_traces)
			known_states_next();
		run_execution();
		if (unlikely(learnt_changed)) {
			if (divide_restart())
				return false;
			learnt_adopt();
			restart_phase(p);
			continue;
		}
		if (unlikely(divide_is_over()))
			return false;
		if (M.explore.skips && M.outcome != OUTCOME_REFUSE)
			continue;
		M.explore.steps = M.steps;
		if (unlikely(done < CHECKED_TWICE) && !p->again && M.outcome != OUTCOME_KNOWN &&
			repeat_is_worthwhile())
			repeat_check();
		done++;
		if (M.explore.executions == 1)
			choices = M.explore.nlog;
		if (!account_execution())
			return false;
		if (M.explore.ops->knows_traces && known_states_adopt()) {
			visible_adopt();
			restart_phase(p);
			continue;
		}
		if (likely(!M.private))
			continue;
		if (unlikely(visible_is_news()) && divide_restart())
			return false;
		if (visible_adopt()) /* shown to race by an execution */
			restart_phase(p);
	}
	return p->deepens && M.outcome != OUTCOME_STOPPED && dfs_is_exhausted(&M.explore);
}

static const struct strategy_ops *ops_of(const struct phase *p)
{
	if (p->ops)
		return p->ops;
	if (p->strategy == STRATEGY_DFS && M.options->known_traces != WHEN_NEVER &&
		M.max_delays && /* else there is one */
		(p->deepens || M.options->known_traces == WHEN_ALWAYS))
		return &strategy_bounded;
	return strategy_ops(p->strategy);
}

/* Do the observers of an execution, too, depend on its states alone? */
static bool may_know_states(const struct phase *p)
{
	return M.explore.ops->knows_traces && !divide_is_on(p) && !loop_bound_on &&
	       !(M.options->detect & DETECT_LOCK_ORDER);
}

bool phase_run(const struct phase *p)
{
	struct options o = *M.options;
	bool all;

	o.seed += p->seed_offset;
	o.depth = p->depth ? p->depth : o.depth;
	M.explore.steps = natural.steps;
	M.explore.cut = M.explore.skips = 0;
	explore_start(&M.explore, ops_of(p), &o, M.status->choices, STATUS_CHOICES,
		&M.status->nchoices);
	M.sampling = M.explore.ops->samples;
	pending_want(PENDING_FOR_STRATEGY,
		M.explore.ops->wants_accesses || M.explore.ops->knows_traces);
	M.status->strategy = p->strategy;
	if (o.detect & (DETECT_LIVELOCK | DETECT_STARVATION))
		stack_init(); /* state_cycle.h */
	begin_counts();
	known_states_use(may_know_states(p));
	all = divide_is_on(p) ? divide_run(p, run_executions, restart_phase) : run_executions(p);
	pending_want(PENDING_FOR_STRATEGY, false);
	known_states_use(false);
	if (p->strategy == STRATEGY_PCT && o.depth <= STATUS_DEPTHS) {
		struct status_pct *s = &M.status->pct;

		pct_measures(&M.explore, &s->executions[o.depth - 1], &s->agents, &s->steps);
	}
	return all;
}

/* What executions teach of the program influences later ones. So that a round depends on its seed
 * alone, in whichever process it is made, all begin with the same knowledge; but for those of few
 * executions, which are long. */
#define ROUND_FORGETS 64 /* executions */

static void begin_round(u32 i, u64 executions)
{
	if (i && executions >= ROUND_FORGETS) {
		visible_put_back();
		private_pays_again();
	}
}

static bool make_round(u32 i, const void *ctx)
{
	/* Half of them have pct's guarantee; surw finds most bugs with few locations. */
	static const enum strategy samplers[PHASE_SAMPLERS] = {STRATEGY_RANDOM, STRATEGY_PCT,
		STRATEGY_SURW, STRATEGY_PCT, STRATEGY_POS, STRATEGY_PCT, STRATEGY_SURW,
		STRATEGY_PCT};
	u64 depths = M.options->depth ? M.options->depth : 1;
	struct phase p = *(const struct phase *)ctx;

	p.strategy = samplers[i % PHASE_SAMPLERS];
	p.seed_offset = i;
	p.depth = p.strategy == STRATEGY_PCT ? 1 + i / 2 % depths : 0;
	begin_round(i, p.executions);
	phase_run(&p);
	return !bounds_stopped();
}

void phase_samples(u32 first, u32 rounds, u64 executions, u64 until)
{
	const struct phase p = {.executions = executions, .until = until};

	if (bounds_stopped())
		return;
	if (!first)
		visible_keep();
	samples_make(&(struct samples){first, rounds, make_round, &p});
}

/* Some executions of the requested strategy. */
static bool make_part(u32 i, const void *ctx)
{
	struct phase p = *(const struct phase *)ctx;

	p.seed_offset = samples_seed(i);
	p.executions = samples_size(i);
	p.again = i;
	begin_round(i, ROUND_FORGETS);
	phase_run(&p);
	return !bounds_stopped();
}

void phase_sample(enum strategy strategy)
{
	const struct phase p = {.strategy = strategy};

	M.status->strategy = strategy;
	visible_keep();
	samples_make_all(make_part, &p);
}
