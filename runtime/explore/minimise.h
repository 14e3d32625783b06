/* SPDX-License-Identifier: ISC */
/*
 * minimise.h - from a failing execution to a simpler one with the same finding.
 *
 * Simpler is defined by schedule_cost: fewer spurious events, relaxed events, delayed stores,
 * switches and steps, in this order. First, bounded searches that reproduce most failures: no store
 * delayed, those of one thread, a single one, and the threads one after the other in every order;
 * then delta debugging of the rest (Zeller and Hildebrandt, TSE 2002): delays and answers are
 * removed, parts of the schedule are moved. Every candidate is executed, and accepted only if it
 * has the same finding; the next candidates derive from the schedule of that actual execution. So
 * correctness does not depend on the heuristics.
 */
#ifndef EXPLORE_MINIMISE_H
#define EXPLORE_MINIMISE_H

#include "explore/schedule.h"

enum tried {
	TRIED_OTHER, /* another finding, or none */
	TRIED_SAME,  /* got and cost describe the execution */
	TRIED_STOP,  /* no more attempts */
};

struct minimise {
	void *context;
	/* Execute a candidate; *got is the schedule of its execution. */
	enum tried (*try)(struct minimise *m, const struct schedule *s, struct schedule *got,
		struct schedule_cost *cost);
	/* `best` has improved. May be NULL. */
	void (*keep)(struct minimise *m);
	struct schedule best, work, got, base;
	struct schedule_cost cost; /* of best */
	u64 steps, max_steps;	 /* executed; their maximum */
	u32 tries;
	bool over;   /* TRIED_STOP, or max_steps */
	bool better; /* this round has found an improvement */
};

/* best and cost are set, the schedules have their memory. Afterwards `over` is set if there was
 * no time for all. */
void minimise_run(struct minimise *m);

#endif
