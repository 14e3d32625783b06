/* SPDX-License-Identifier: ISC */
/* explore.c - the table of strategies, and their common part: the log of choices. */
#include "explore/explore.h"

static const struct strategy_ops *const strategies[] = {
	[STRATEGY_RANDOM] = &strategy_random,
	[STRATEGY_PCT] = &strategy_pct,
	[STRATEGY_POS] = &strategy_pos,
	[STRATEGY_SURW] = &strategy_surw,
	[STRATEGY_PCTWM] = &strategy_random, /* of graphs: trust/random/pctwm.h */
	[STRATEGY_DFS] = &strategy_dfs,
	[STRATEGY_MIXED] = &strategy_random, /* its first phase: search/search.c */
	[STRATEGY_STATES] = &strategy_dfs, /* for replays; its own is in prove/states.c */
	[STRATEGY_FOLLOW] = &strategy_follow,
};

const struct strategy_ops *strategy_ops(enum strategy s)
{
	BUG_ON(!strategies[s]);
	return strategies[s];
}

void explore_start(struct explore *x, const struct strategy_ops *ops, const struct options *o,
	u32 *log, u32 maxlog, volatile u32 *published)
{
	x->ops = ops;
	x->random = ops == &strategy_random;
	x->options = o;
	x->log = log;
	x->maxlog = maxlog;
	x->published = published;
	x->nlog = x->prefix = 0;
	x->diverged = false;
	x->executions = 0;
	ops->start(x);
}

bool explore_next(struct explore *x)
{
	if (!x->ops->next(x))
		return false;
	x->nlog = 0;
	x->executions++;
	return true;
}

u32 explore_choose_slow(struct explore *x, u32 n, const u32 *agents)
{
	u32 c;

	if (x->nlog == x->maxlog) /* the machine ends the execution at its step bound */
		return 0;
	c = x->ops->choose(x, n, agents);
	BUG_ON(c >= n);
	x->log[x->nlog++] = c | n << 16;
	*x->published = x->nlog;
	return c;
}

void explore_yield(struct explore *x, u32 thread)
{
	if (x->ops->yield)
		x->ops->yield(x, thread);
}

void explore_once_start(struct explore *x)
{
}

bool explore_once_next(struct explore *x)
{
	return !x->executions;
}
