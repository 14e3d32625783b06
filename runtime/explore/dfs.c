/* SPDX-License-Identifier: ISC */
/*
 * dfs.c - plain exhaustive search: every list of answers, each exactly once, no reduction.
 *
 * Idea.   Take answer 0 everywhere; then change the last answer that has a next one, keep the
 *         answers before it and take 0 again after it: an odometer whose wheels are the choices.
 * State.  Only the log of the last execution.
 * Always. After the same answers, a choice has the same number of options; if not, the program is
 *         not deterministic (`diverged`).
 */
#include "explore/explore.h"
#include "explore/trace_cache.h"

static void dfs_start(struct explore *x)
{
	x->part = 0;
}

/* The number of answers up to the last one that has a next one; 0: there is none. */
static u32 last_open(const struct explore *x)
{
	u32 i = x->nlog;

	if (x->skips && i > x->cut)
		i = x->cut;
	while (i > 0 && (x->log[i - 1] & 0xffff) + 1 == x->log[i - 1] >> 16)
		i--;
	return i;
}

bool dfs_is_exhausted(const struct explore *x)
{
	return x->executions && !last_open(x);
}

static bool dfs_next(struct explore *x)
{
	u32 i;

	if (!x->executions)
		return true;
	i = last_open(x);
	if (!i)
		return false;
	x->log[i - 1]++;
	x->prefix = i;
	x->part += i <= x->cut;
	return true;
}

static u32 dfs_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 given;

	if (x->nlog >= x->prefix)
		return 0;
	given = x->log[x->nlog];
	if (given >> 16 != n) {
		x->diverged = true;
		x->diverged_n = n;
		return 0;
	}
	return given & 0xffff;
}

const struct strategy_ops strategy_dfs = {
	.name = STRATEGY_DFS,
	.start = dfs_start,
	.next = dfs_next,
	.choose = dfs_choose,
};

static void bounded_start(struct explore *x)
{
	dfs_start(x);
	trace_cache_clear();
}

const struct strategy_ops strategy_bounded = {
	.name = STRATEGY_DFS,
	.knows_traces = true,
	.start = bounded_start,
	.next = dfs_next,
	.choose = dfs_choose,
};
