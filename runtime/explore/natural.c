/* SPDX-License-Identifier: ISC */
/*
 * natural.c - one schedule, about as on a machine with one processor: a thread runs until it has to
 * wait, yields, or has used its share; then the next one, in turn. No spurious events.
 *
 * strategy_near: the same after given choices, log[0 .. prefix), as far from weak behaviour as
 * possible: stores reach memory at once.
 */
#include "explore/explore.h"

#define SHARE 1000 /* choices: a thread that waits unnoticed does not hold up others */

static struct {
	u32 whose, left; /* the running thread, by number; its choices until others run */
	bool asked;	 /* whether others could, when it had none left */
} N;

static bool natural_next(struct explore *x)
{
	N.whose = 0;
	N.left = SHARE;
	N.asked = false;
	return !x->executions;
}

/* The next thread in cyclic order after the one that ran; EXPLORE_NONE: there are only stores. */
static u32 next_turn(u32 n, const u32 *agents)
{
	u32 found = EXPLORE_NONE, least = UINT32_MAX;

	for (u32 i = 0; i < n; i++) {
		u32 distance = agent_number(agent_number(agents[i]) - N.whose - 1);

		if (!(agents[i] & AGENT_COMMIT) && distance < least) {
			found = i;
			least = distance;
		}
	}
	return found;
}

static u32 natural_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 i;

	if (!agents)
		return 0;
	i = N.left ? explore_find(n, agents, agent(N.whose, false)) : EXPLORE_NONE;
	if (i != EXPLORE_NONE) {
		N.left--;
		return i;
	}
	i = next_turn(n, agents);
	if (i == EXPLORE_NONE)
		return 0;
	N.whose = agent_number(agents[i]);
	N.left = SHARE;
	N.asked = false;
	return i;
}

static bool natural_continues(struct explore *x, u32 thread)
{
	static volatile u32 unpublished;

	if (thread != N.whose)
		return false;
	if (!N.left) {
		N.asked = !N.asked;
		if (N.asked)
			return false;
		N.left = SHARE;
	}
	N.left--;
	*x->published = 0; /* as if it had left no choices */
	x->published = &unpublished;
	return true;
}

static void natural_yield(struct explore *x, u32 thread)
{
	if (thread == N.whose)
		N.left = 0;
}

const struct strategy_ops strategy_natural = {
	.name = STRATEGY_RANDOM, /* recorded as random, which may make any schedule */
	.samples = true,
	.wants_agents = true,
	.start = explore_once_start,
	.next = natural_next,
	.choose = natural_choose,
	.yield = natural_yield,
	.continues = natural_continues,
};

/* The first store that may reach memory; EXPLORE_NONE: there is none. */
static u32 next_commit(u32 n, const u32 *agents)
{
	for (u32 i = 0; i < n; i++)
		if (agents[i] & AGENT_COMMIT)
			return i;
	return EXPLORE_NONE;
}

static u32 near_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 given = x->nlog < x->prefix ? x->log[x->nlog] : 0, i;

	if (!given) {
		i = agents ? next_commit(n, agents) : 0;
		return i == EXPLORE_NONE ? natural_choose(x, n, agents) : i;
	}
	if (given >> 16 != n) {
		x->diverged = true;
		x->diverged_n = n;
		return 0;
	}
	given &= 0xffff;
	if (agents && !(agents[given] & AGENT_COMMIT))
		N.whose = agent_number(agents[given]);
	return given;
}

const struct strategy_ops strategy_near = {
	.name = STRATEGY_RANDOM,
	.samples = true,
	.wants_agents = true,
	.start = explore_once_start,
	.next = natural_next,
	.choose = near_choose,
	.yield = natural_yield,
};
