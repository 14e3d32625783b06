/* SPDX-License-Identifier: ISC */
/* divide.c - see divide.h. */
#include "search/schedule/divide.h"
#include "search/limit/bound.h"
#include "base/prng.h"
#include "buffers/buffers.h"
#include "buffers/visible.h"
#include "machine/execution/clock.h"
#include "machine/learnt.h"
#include "process/shared.h"
#include "search/jobs/sample_share.h"
#include "search/jobs/shard.h"

#include <string.h>

#define PARTS	64 /* for each process */
#define VISIBLE 1024

static struct divide_common {
	volatile u32 unfinished; /* processes that have left something out */
	volatile bool restart;
	u32 nvisible;
	u64 visible[VISIBLE]; /* addresses that are visible from now on */
} *common; /* in shared memory */

static struct {
	bool sharded, shared; /* by --shard; by processes */
	u64 part; /* the last one that was asked for */
	bool mine;
	bool (*run)(const struct phase *p);
} divide;

bool divide_is_on(const struct phase *p)
{
	if (M.explore.ops->name != STRATEGY_DFS)
		return false;
	return M.options->jobs > 1 || (M.options->shard && !p->deepens);
}

/* --- parts ------------------------------------------------------------------------------------ */

static void start_again(void)
{
	struct explore *x = &M.explore;

	explore_start(x, x->ops, x->options, M.status->choices, STATUS_CHOICES,
		&M.status->nchoices);
}

static bool is_time_up(void)
{
	return clock_is_up;
}

/* Run the first execution of each part with so many choices. False: a part has no other, or the
 * search has to stop. */
static bool try_cut(u32 cut)
{
	struct explore *x = &M.explore;
	bool deeper = false;

	start_again();
	x->cut = cut;
	x->skips = true;
	while (!is_time_up() && explore_next(x)) {
		run_execution();
		if (M.outcome == OUTCOME_REFUSE)
			return false;
		deeper |= x->nlog > cut;
		if (unlikely(learnt_changed)) {
			learnt_adopt();
			start_again();
		}
	}
	return deeper;
}

/* As many parts as the processes need, if there are so many. */
static void choose_division(void)
{
	u64 enough = PARTS * (divide.sharded ? option_shards(M.options) : 1) * M.options->jobs;
	u32 cut = 4;

	while (try_cut(cut) && M.explore.part < enough && !is_time_up())
		cut += cut / 2;
	if (divide.sharded)
		M.status->shard.tree = prng_mix(cut) + M.explore.part;
	start_again();
	divide.part = ~(u64)0;
}

static bool is_mine(u64 part)
{
	if (divide.sharded && !shard_owns(part))
		return false;
	if (!divide.shared)
		return true;
	return samples_take(part);
}

bool divide_skips(void)
{
	if (M.explore.part == divide.part)
		return !divide.mine;
	divide.part = M.explore.part;
	divide.mine = is_mine(divide.part);
	return !divide.mine;
}

/* --- processes -------------------------------------------------------------------------------- */

bool divide_restart(void)
{
	if (!divide.shared)
		return false;
	if (!common->nvisible)
		common->nvisible = visible_copy(common->visible, VISIBLE);
	common->restart = true;
	return true;
}

bool divide_is_over(void)
{
	return divide.shared && common->restart;
}

static bool explore_parts(__attribute__((unused)) u32 process, const void *ctx)
{
	divide.part = ~(u64)0;
	start_again();
	if (!divide.run(ctx))
		__atomic_add_fetch(&common->unfinished, 1, __ATOMIC_RELAXED);
	return false; /* it is the only round of this process */
}

/* False: something new is known, and nothing has been explored. */
static bool run_processes(const struct phase *p)
{
	u32 bounds = M.bounds;

	memset(common, 0, sizeof *common);
	divide.shared = true;
	samples_make(&(struct samples){
		1, (u32)M.options->jobs, explore_parts, p, .parts = true, .local = true});
	divide.shared = false;
	if (!common->restart || bounds_stopped())
		return true;
	M.bounds = bounds;
	learnt_adopt();
	for (u32 i = 0; i < common->nvisible; i++)
		visible_learn(common->visible[i]);
	visible_adopt();
	return false;
}

/* Some executions by this process alone: most searches of a level of deepen.h are over then. */
static bool is_over_soon(const struct phase *p, bool (*run)(const struct phase *p), bool *all)
{
	struct phase few = *p;

	few.executions = PARTS * M.options->jobs;
	if (p->executions && p->executions <= few.executions)
		few.executions = p->executions;
	*all = run(&few);
	return *all || bounds_stopped() || few.executions == p->executions;
}

static bool run_divided(const struct phase *p, bool (*run)(const struct phase *p),
	void (*begin_again)(const struct phase *p))
{
	bool all;

	if (!divide.sharded) {
		if (is_over_soon(p, run, &all))
			return all;
		begin_again(p);
	}
	choose_division();
	if (M.options->jobs == 1)
		return run(p);
	while (!run_processes(p)) {
		begin_again(p);
		choose_division();
	}
	return !common->unfinished && !(M.bounds & BOUND_EXECUTIONS);
}

bool divide_run(const struct phase *p, bool (*run)(const struct phase *p),
	void (*begin_again)(const struct phase *p))
{
	static struct options o; /* with the phase's number of executions: sample_share.h */
	const struct options *asked = M.options;
	u64 counted = M.status->executions + M.status->blocked;
	bool all;

	if (!common)
		common = shared_pages(sizeof *common);
	BUG_ON(!common);
	divide.sharded = M.options->shard && !p->deepens;
	divide.run = run;
	o = *asked;
	if (p->executions && (!o.executions || counted + p->executions < o.executions))
		o.executions = counted + p->executions;
	M.options = &o;
	all = run_divided(p, run, begin_again);
	M.options = asked;
	if (o.executions != asked->executions)
		M.bounds &= ~(u32)BOUND_EXECUTIONS;
	M.explore.cut = M.explore.skips = 0;
	if (divide.sharded)
		shard_end(NULL);
	return all;
}
