/* SPDX-License-Identifier: ISC */
/*
 * pos.c - partial order sampling: a random priority for each step, drawn anew after a conflict.
 *
 * Idea.   Each pending operation has a random priority, and the highest one is executed. Then all
 *         pending operations that conflict with it get new priorities, as does the next one of its
 *         agent. Operations that do not conflict keep theirs, so their order is not drawn again
 *         and again, and partial orders are sampled far more evenly than by a random walk.
 * Source. Yuan, Yang, Gu, CAV 2018, section 4. We differ in: stores in buffers are agents with
 *         operations of their own; a pending operation can change without a step (a signal).
 * State.  One static struct: there is one search per process.
 */
#include "explore/agent_table.h"
#include "explore/explore.h"

static struct pos {
	struct agent_table agents;
	struct pos_agent {
		u64 priority; /* 0: to be drawn */
		struct agent_access pending;
	} agent[AGENTS];
} pos;

static void pos_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
}

static bool pos_next(struct explore *x)
{
	agent_table_clear(&pos.agents);
	return true;
}

static struct pos_agent *find_agent(u32 id)
{
	bool fresh;
	struct pos_agent *a = &pos.agent[agent_table_find(&pos.agents, id, &fresh)];

	if (fresh)
		a->priority = 0;
	return a;
}

/* The agent's priority for this pending operation. */
static u64 pending_priority(struct explore *x, u32 id, struct agent_access pending)
{
	struct pos_agent *a = find_agent(id);

	if (a->pending.addr != pending.addr || a->pending.writes != pending.writes)
		a->priority = 0;
	a->pending = pending;
	if (!a->priority)
		a->priority = prng_next(&x->prng) | 1;
	return a->priority;
}

static u32 pos_choose(struct explore *x, u32 n, const u32 *agents)
{
	u64 high = 0;
	u32 c = 0;

	if (!agents)
		return prng_below(&x->prng, n);
	for (u32 i = 0; i < n; i++) {
		u64 p = pending_priority(x, agents[i], x->access[i]);

		if (p > high) {
			high = p;
			c = i;
		}
	}
	for (u32 i = 0; i < n; i++)
		if (i == c || (agent_thread(agents[i]) != agent_thread(agents[c]) &&
				      access_conflicts(&x->access[i], &x->access[c])))
			find_agent(agents[i])->priority = 0;
	return c;
}

const struct strategy_ops strategy_pos = {
	.name = STRATEGY_POS,
	.samples = true,
	.wants_agents = true,
	.wants_accesses = true,
	.start = pos_start,
	.next = pos_next,
	.choose = pos_choose,
};
