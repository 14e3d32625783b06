/* SPDX-License-Identifier: ISC */
/*
 * goal.c - a walk towards a deadlock that was seen: threads are held at its calls.
 *
 * Idea.   A thread whose call stack matches the goal (AGENT_AT_GOAL) could only go past it, so it
 *         is held while others can go on; and one that is near, in the same functions at another
 *         line, is held while others are further away: it may be about to take a lock that the
 *         others still need on their way. Among threads at the same distance the choice is random.
 *         Every second execution holds threads for a while only, so that no schedule is left out.
 *         A flight record orders the events on the way: threads and stores that would break this
 *         order are near, too (machine/observer/tracks.h).
 * Source. Joshi, Park, Sen, Naik: A randomized dynamic program analysis technique for detecting
 *         real deadlocks, PLDI 2009, section 3 (phase II of DeadlockFuzzer). We differ in: the goal
 *         is a backtrace, not a cycle of a lock order; conditions and semaphores count, too; the
 *         distance.
 */
#include "explore/explore.h"

#define HOLD 16 /* every second execution: choices between two that ignore the goal */

static void goal_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
}

static bool goal_next(struct explore *x)
{
	return true;
}

/* The greater, the longer it is held. */
static u32 held_weight(u32 agent)
{
	return agent & AGENT_AT_GOAL ? 2 : agent & AGENT_NEAR_GOAL ? 1 : 0;
}

static u32 goal_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 least = 2, equal = 0, which;

	if (!agents || (x->executions % 2 == 0 && !prng_below(&x->prng, HOLD)))
		return prng_below(&x->prng, n);
	for (u32 i = 0; i < n; i++) {
		u32 h = held_weight(agents[i]);

		equal = h < least ? 1 : equal + (h == least);
		least = h < least ? h : least;
	}
	which = prng_below(&x->prng, equal);
	for (u32 i = 0; i < n; i++)
		if (held_weight(agents[i]) == least && !which--)
			return i;
	return 0;
}

const struct strategy_ops strategy_goal = {
	.name = STRATEGY_RANDOM, /* recorded as random, which may make any schedule */
	.samples = true,
	.wants_agents = true,
	.wants_goals = true,
	.start = goal_start,
	.next = goal_next,
	.choose = goal_choose,
};
