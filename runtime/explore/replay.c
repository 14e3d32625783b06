/* SPDX-License-Identifier: ISC */
/*
 * replay.c - replay is a strategy: log[0 .. prefix) is given, the one execution takes it.
 *
 * The caller sets prefix after explore_start(). A choice with a different number of options
 * than recorded means that the program diverged: `diverged`. To wander is to take the given
 * choices, and random ones from there on.
 */
#include "explore/explore.h"

static u32 follow_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 given = x->nlog < x->prefix ? x->log[x->nlog] : 0;

	if (given >> 16 != n) {
		x->diverged = true;
		x->diverged_n = n;
		return 0;
	}
	return given & 0xffff;
}

const struct strategy_ops strategy_follow = {
	.name = STRATEGY_FOLLOW,
	.start = explore_once_start,
	.next = explore_once_next,
	.choose = follow_choose,
};

static u32 wander_choose(struct explore *x, u32 n, const u32 *agents)
{
	return x->nlog < x->prefix ? follow_choose(x, n, agents) : prng_below(&x->prng, n);
}

const struct strategy_ops strategy_wander = {
	.name = STRATEGY_FOLLOW,
	.start = explore_once_start,
	.next = explore_once_next,
	.choose = wander_choose,
};
