/* SPDX-License-Identifier: ISC */
/*
 * explore.h - choices of an execution, made by a strategy.
 *
 * The machine requests a choice ("one of n") whenever more than one answer is possible, in the same
 * order in every execution with the same answers; so the list of *choices* determines the
 * execution. They are logged as taken | n << 16 in memory that survives a crash (status.h).
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "base/option.h"
#include "base/prng.h"

/* The agent of a scheduling choice: a thread, or a store of a thread. */
#define AGENT_COMMIT	       0x10000u
#define AGENT_NEW_VALUE	       0x8000u /* fair.c: the thread would read a new value */
#define AGENT_AT_GOAL	       0x20000u /* goal.c, threads: its call stack matches the goal */
#define AGENT_NEAR_GOAL	       0x40000u /* also of stores: at another line, or not yet its turn */
#define agent_thread(agent)    ((agent)&0xffffu)
#define agent_number(agent)    ((agent)&0x7fffu)
#define agent_place(agent)     ((agent) >> 17) /* PSO commits: a hash of the address */
#define agent(thread, commits) ((u32)(thread) | ((commits) ? AGENT_COMMIT : 0))

/* The pending operation of an agent, for strategies that depend on it. */
struct agent_access {
	u64 addr;
	u32 size; /* 0: none, or not known */
	bool writes;
};

static inline bool access_conflicts(const struct agent_access *a, const struct agent_access *b)
{
	return (a->writes || b->writes) && a->addr < b->addr + b->size &&
	       b->addr < a->addr + a->size;
}

struct explore;
struct plan_strategy;
struct schedule_run;

struct strategy_ops {
	enum strategy name;
	bool samples;	       /* never completes */
	bool wants_agents;     /* choose() needs the agents of the options */
	bool wants_new_values; /* agents have AGENT_NEW_VALUE */
	bool wants_goals;      /* agents have AGENT_AT_GOAL, AGENT_NEAR_GOAL */
	/* choose() needs x->access, of each of the options, and sees steps without a choice (n =
	 * 1), too. */
	bool wants_accesses;
	bool knows_traces; /* beginnings of executions are known again: trace_cache.h */
	void (*start)(struct explore *x);
	/* Prepare the next execution; false: all were explored. */
	bool (*next)(struct explore *x);
	/* Make a choice; agents[n]: the options, NULL for data choices or without wants_agents. */
	u32 (*choose)(struct explore *x, u32 n, const u32 *agents);
	void (*yield)(struct explore *x, u32 thread); /* a thread yields; may be NULL */
	/* May be NULL. The running thread is enabled: true if it goes on, whatever others may; then
	 * this is no choice, and the execution's log is incomplete. */
	bool (*continues)(struct explore *x, u32 thread);
};

extern const struct strategy_ops strategy_random, strategy_pct, strategy_dfs, strategy_follow,
	strategy_pos, strategy_surw, strategy_fair, strategy_natural, strategy_near,
	strategy_goal, strategy_wander, strategy_bounded;

struct explore {
	const struct strategy_ops *ops;
	bool random; /* ops is strategy_random: answered inline */
	struct prng prng;
	u32 *log; /* the choices of this execution */
	u32 nlog, maxlog;
	volatile u32 *published; /* nlog for other processes, in case this one is killed */
	const struct agent_access *access; /* by option, during choose() */
	u32 prefix;			   /* dfs, replay: so many choices are given */
	/* dfs: the executions with the same first `cut` choices are a part of the search. Parts are
	 * numbered as they come; of one that is skipped there is only the first execution. */
	u32 cut;
	u64 part;
	bool skips;
	struct plan_strategy *plan;	   /* strategy_plan: the plan, and its position */
	struct schedule_run *schedule;	   /* strategy_schedule: the schedule, and its position */
	bool diverged;	/* a given choice did not fit: n was different at log[nlog] */
	u32 diverged_n; /* the present n */
	const struct options *options;
	u64 steps;	 /* of the last execution, or, before the first one, of one like it; 0:
			    not known */
	u64 executions; /* begun with this strategy */
};

/* Begin a search. log[maxlog] and *published must outlive it. */
void explore_start(struct explore *x, const struct strategy_ops *ops, const struct options *o,
	u32 *log, u32 maxlog, volatile u32 *published);

/* Begin the next execution, or the first; false: none left. */
bool explore_next(struct explore *x);

/* explore_choose() for every strategy. Returns the index of the option chosen. */
u32 explore_choose_slow(struct explore *x, u32 n, const u32 *agents);

/* Choose one of n >= 2 answers, and log it. agents[n]: the options of a scheduling choice, NULL
 * for a data choice. Returns its index. */
static inline u32 explore_choose(struct explore *x, u32 n, const u32 *agents)
{
	u32 c;

	if (unlikely(!x->random || x->nlog == x->maxlog))
		return explore_choose_slow(x, n, agents);
	c = prng_below(&x->prng, n);
	x->log[x->nlog++] = c | n << 16;
	*x->published = x->nlog;
	return c;
}

/* A thread yields to others (pct lowers its priority). */
void explore_yield(struct explore *x, u32 thread);

/* start() and next() of a strategy with a single execution. */
void explore_once_start(struct explore *x);
bool explore_once_next(struct explore *x);

/* dfs, after an execution: was it the last one? */
bool dfs_is_exhausted(const struct explore *x);

/* The index of this agent among the options; EXPLORE_NONE: none. */
#define EXPLORE_NONE UINT32_MAX
static inline u32 explore_find(u32 n, const u32 *agents, u32 agent)
{
	for (u32 i = 0; i < n; i++)
		if (agents[i] == agent)
			return i;
	return EXPLORE_NONE;
}

/* pct, at its end: add the number of executions that were no longer than expected, for which its
 * guarantee holds; raise the maxima of agents and steps. */
void pct_measures(const struct explore *x, u64 *counted, u64 *agents, u64 *steps);

/* A strategy of schedules by its option; not those of graphs (strategy_is_exact()). */
const struct strategy_ops *strategy_ops(enum strategy s);

#endif
