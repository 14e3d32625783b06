/* SPDX-License-Identifier: ISC */
/*
 * pct.c - probabilistic concurrency testing: random priorities, few changes.
 *
 * Idea.   Each agent gets a random priority when it first appears, and the one with the highest
 *         moves. At depth-1 steps, chosen beforehand among the length of an execution, the priority
 *         of the agent about to move falls below all others. A bug that needs `depth` ordering
 *         constraints among n agents and k steps is found with probability 1/(n k^(depth-1)).
 *         Stores are agents of their own: one a thread (TSO), one a thread and address (PSO). A
 *         store whose agent has a low priority stays in its buffer for long: weak behaviour needs
 *         such delays, which are rare with uniformly random commits.
 * Source. Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010, section 3. We differ in: k is
 *         the length of the longest execution so far, steps without a choice included; agents for
 *         stores; a thread that yields falls back.
 * State.  One static struct: there is one search per process.
 */
#include "explore/explore.h"
#include "explore/agent_table.h"

#define MAX_DEPTH     32
#define LONGEST_LEAST 32

static struct pct {
	struct agent_table agents;
	u64 priority[AGENTS];
	u64 change[MAX_DEPTH];
	u32 nchange;
	u64 lowest;  /* the next value below all others */
	u64 longest; /* steps of the longest execution so far */
	u32 most;    /* agents of any */
	u64 counted; /* executions that were no longer than expected */
	u64 step;
} pct;

static void pct_start(struct explore *x)
{
	prng_seed(&x->prng, x->options->seed);
	pct.longest = x->steps > LONGEST_LEAST ? x->steps : LONGEST_LEAST;
	pct.step = pct.most = 0;
	pct.counted = 0;
	agent_table_clear(&pct.agents);
}

/* The execution has ended. */
static void measure_execution(const struct explore *x)
{
	if (pct.agents.nused > pct.most)
		pct.most = pct.agents.nused;
	if (x->steps <= pct.longest && pct.step <= pct.longest)
		pct.counted++;
	else
		pct.longest = x->steps > pct.step ? x->steps : pct.step;
}

static bool pct_next(struct explore *x)
{
	if (x->executions)
		measure_execution(x);
	agent_table_clear(&pct.agents);
	pct.step = 0;
	pct.lowest = 1u << 20;
	pct.nchange = x->options->depth > MAX_DEPTH ? MAX_DEPTH : (u32)x->options->depth;
	pct.nchange -= pct.nchange > 0;
	for (u32 i = 0; i < pct.nchange; i++)
		pct.change[i] = 1 + prng_below(&x->prng, (u32)pct.longest);
	return true;
}

void pct_measures(const struct explore *x, u64 *counted, u64 *agents, u64 *steps)
{
	if (x->executions)
		measure_execution(x);
	*counted += pct.counted;
	*agents = *agents > pct.most ? *agents : pct.most;
	*steps = *steps > pct.longest ? *steps : pct.longest;
}

static u64 *priority_of(struct explore *x, u32 id)
{
	bool fresh;
	u32 slot = agent_table_find(&pct.agents, id, &fresh);

	if (fresh)
		pct.priority[slot] = (prng_next(&x->prng) >> 1) + (1u << 21);
	return &pct.priority[slot];
}

static u32 best(struct explore *x, u32 n, const u32 *agents)
{
	u32 c = 0;
	u64 high = 0;

	for (u32 i = 0; i < n; i++) {
		u64 p = *priority_of(x, agents[i]);

		if (p > high) {
			high = p;
			c = i;
		}
	}
	return c;
}

static u32 pct_choose(struct explore *x, u32 n, const u32 *agents)
{
	if (!agents)
		return prng_below(&x->prng, n);
	pct.step++;
	for (u32 i = 0; i < pct.nchange; i++)
		if (pct.change[i] == pct.step)
			*priority_of(x, agents[best(x, n, agents)]) = --pct.lowest;
	return best(x, n, agents);
}

static void pct_yield(struct explore *x, u32 thread)
{
	*priority_of(x, agent(thread, false)) = --pct.lowest;
}

const struct strategy_ops strategy_pct = {
	.name = STRATEGY_PCT,
	.samples = true,
	.wants_agents = true,
	.start = pct_start,
	.next = pct_next,
	.choose = pct_choose,
	.yield = pct_yield,
};
