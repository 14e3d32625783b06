/* SPDX-License-Identifier: ISC */
/*
 * plan_strategy.h - a strategy that follows a plan: an execution graph made a schedule
 * (model/linearize.h).
 *
 * What a graph does not know, the program still does: accesses of memory that no other thread uses.
 * So a thread may have to be chosen several times until it has taken the step that is due, and
 * stores that are no business of others leave their buffers as soon as they can.
 */
#ifndef EXPLORE_PLAN_STRATEGY_H
#define EXPLORE_PLAN_STRATEGY_H

#include "explore/explore.h"
#include "model/linearize.h"

/* Agents as the guide wants them: slots of threads; of a commit, the event that it is in the
 * graph. */
#define GUIDE_EVENTS	    0x7fffu /* larger graphs have no guide */
#define GUIDE_LATER	    0x7fffu /* instead of an event: after all that is in the graph */
#define guide_agent(slot)   ((u32)(slot))
#define guide_commit(slot, event) \
	((u32)(slot) | AGENT_COMMIT | (u32)(event) << 17) /* 0: a private store */

struct plan_strategy {
	const struct graph *graph;
	const struct plan *plan;
	u32 at;	   /* the item that is due */
	u32 last;  /* when the plan is over this thread goes on, if it can */
	u32 data;  /* the answer to the next data question */
	bool lost; /* what was due could not be done */
	/* Kept by who runs the threads: */
	u32 passed[GRAPH_THREADS]; /* by slot: index of the last event it has passed */
	u8 done[GUIDE_EVENTS];	   /* writes: has reached memory, or will with another one */
};

extern const struct strategy_ops strategy_plan;

#endif
