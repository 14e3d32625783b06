/* SPDX-License-Identifier: ISC */
/*
 * fair.c - fair schedules that let threads starve, if possible.
 *
 * Each execution is a random walk for a few steps, then round robin: each thread has a fixed number
 * of steps, the same in every round. There is no other randomness, so a program that does not count
 * its iterations returns to an earlier state (cycle/state_cycle.h).
 *
 * Every second execution also has an adversary: a thread about to repeat a read does not run while
 * it would see a different value (AGENT_NEW_VALUE), but as soon as it would read the same again. So
 * it takes steps without progress.
 *
 * The first executions are the simplest: the creators of threads first, then single steps, which
 * suit two threads that keep yielding to each other.
 */
#include "explore/explore.h"

#define THREADS	   64 /* beyond, all have the steps of the last one */
#define STEPS_MOST 6
#define STEPS_MAIN 64
#define WALK_MOST  64
#define SIMPLE	   8

static struct {
	u32 walk;	    /* random steps left */
	u32 steps[THREADS]; /* in a turn */
	bool starved[THREADS]; /* skipped, as it would have read a new value */
	u32 left, whose;    /* steps left in the current turn; its thread's number */
	bool adverse;
} F;

static void fair_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
}

static bool fair_next(struct explore *x)
{
	u32 nth = (u32)x->executions;
	bool simple = nth < SIMPLE;

	F.adverse = nth & 1;
	F.walk = simple ? nth / 4 : prng_below(&x->prng, WALK_MOST);
	for (u32 i = 0; i < THREADS; i++) {
		F.steps[i] = simple ? 1 : 1 + prng_below(&x->prng, STEPS_MOST);
		F.starved[i] = false;
	}
	if (!(nth & 2))
		F.steps[0] = STEPS_MAIN;
	F.left = F.whose = 0;
	return true;
}

static bool may_choose(u32 agent, bool adverse)
{
	return !(agent & AGENT_COMMIT) && !(adverse && agent & AGENT_NEW_VALUE);
}

/* The option of the next thread in cyclic order, at least `ahead` after the current one;
 * EXPLORE_NONE: none. */
static u32 next_in_circle(u32 n, const u32 *agents, u32 ahead, bool adverse)
{
	u32 best = EXPLORE_NONE, least = UINT32_MAX;

	for (u32 i = 0; i < n; i++) {
		u32 distance = agent_number(agent_number(agents[i]) - F.whose - ahead);

		if (may_choose(agents[i], adverse) && distance < least) {
			best = i;
			least = distance;
		}
	}
	return best;
}

/* A thread that was skipped, but would not be now. */
static u32 next_starved(u32 n, const u32 *agents)
{
	u32 found = EXPLORE_NONE;

	for (u32 i = 0; i < n && F.adverse; i++) {
		u32 number = agent_number(agents[i]);

		if (agents[i] & AGENT_COMMIT || number >= THREADS)
			continue;
		if (agents[i] & AGENT_NEW_VALUE)
			F.starved[number] = true;
		else if (F.starved[number])
			found = i;
	}
	return found;
}

/* The thread with steps left in its turn, or else the next one. */
static u32 in_turn(u32 n, const u32 *agents)
{
	u32 i = next_in_circle(n, agents, !F.left, F.adverse);

	return i != EXPLORE_NONE ? i : next_in_circle(n, agents, !F.left, false);
}

static u32 next_in_order(u32 n, const u32 *agents)
{
	u32 i = next_starved(n, agents), whose = F.whose;

	if (i == EXPLORE_NONE)
		i = in_turn(n, agents);
	if (i == EXPLORE_NONE)
		return 0; /* stores only */
	F.whose = agent_number(agents[i]);
	if (F.whose < THREADS)
		F.starved[F.whose] = false;
	if (F.whose != whose || !F.left)
		F.left = F.steps[F.whose < THREADS ? F.whose : THREADS - 1];
	F.left--;
	return i;
}

static u32 fair_choose(struct explore *x, u32 n, const u32 *agents)
{
	if (!agents)
		return 0; /* no rare events */
	if (F.walk) {
		F.walk--;
		return prng_below(&x->prng, n);
	}
	return next_in_order(n, agents);
}

const struct strategy_ops strategy_fair = {
	.name = STRATEGY_RANDOM, /* recorded as random, which may make any schedule */
	.samples = true,
	.wants_agents = true,
	.wants_new_values = true,
	.start = fair_start,
	.next = fair_next,
	.choose = fair_choose,
};
