/* SPDX-License-Identifier: ISC */
/*
 * plan_strategy.h - a strategy that follows a plan: an execution graph as a schedule
 * (model/linearize.h).
 *
 * The program also accesses private memory, which a graph does not contain. So a thread may have to
 * be chosen several times until it takes the due step, and stores to private memory leave their
 * buffers as soon as possible.
 */
#ifndef EXPLORE_PLAN_STRATEGY_H
#define EXPLORE_PLAN_STRATEGY_H

#include "explore/explore.h"
#include "model/linearize.h"

/* Agents: slots of threads; for a commit, its event in the graph. */
#define PLAN_EVENTS	    0x7fffu /* larger graphs cannot be followed */
#define PLAN_LATER	    0x7fffu /* instead of an event: after all events of the graph */
#define plan_agent(slot)   ((u32)(slot))
#define plan_agent_commit(slot, event) \
	((u32)(slot) | AGENT_COMMIT | (u32)(event) << 17) /* 0: a private store */

struct plan_strategy {
	const struct graph *graph;
	const struct plan *plan;
	u32 at;	   /* the due item */
	u32 last;  /* the thread that continues after the plan, if enabled */
	u32 data;  /* the answer to the next data choice */
	bool lost; /* the due item was impossible */
	bool early; /* a store reached memory earlier than planned: a buffer had to be empty */
	/* Maintained by buffers/plan_driver.c: */
	u32 passed[GRAPH_THREADS]; /* by slot: index of the last event it has passed */
	u8 done[PLAN_EVENTS];	   /* writes: has reached memory, or will with another one */
};

extern const struct strategy_ops strategy_plan;

#endif
