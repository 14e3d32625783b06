/* SPDX-License-Identifier: ISC */
/*
 * minimise.h - from an execution that fails to one that fails in the same way and is easier to
 * read.
 *
 * Easier is what schedule_cost counts: few things that happen for no reason, few relaxed events,
 * few stores that are delayed, few switches, few steps; in this order. First the bounded searches
 * that find most failures at once - no store delayed, those of one thread, one alone, and the
 * threads one after the other in every order (failures seldom need more); then delta
 * debugging of what is left (Zeller and Hildebrandt, TSE 2002): delays go, answers go, pieces of
 * the schedule are put off or done earlier. Every candidate is carried out, and only counts if it
 * fails in the same way; what is kept is the script of what has then been done. So the result needs
 * no trust in the idea behind a candidate.
 */
#ifndef EXPLORE_MINIMISE_H
#define EXPLORE_MINIMISE_H

#include "explore/schedule.h"

enum tried {
	TRIED_OTHER, /* it fails otherwise, or not at all */
	TRIED_SAME,  /* got and cost are those of the execution */
	TRIED_STOP,  /* no more can be tried */
};

struct minimise {
	void *context;
	/* Carry out a candidate; *got is what has become of it. */
	enum tried (*try)(struct minimise *m, const struct schedule *s, struct schedule *got,
		struct schedule_cost *cost);
	/* `best` is better than what there was. May be NULL. */
	void (*keep)(struct minimise *m);
	struct schedule best, work, got, base;
	struct schedule_cost cost; /* of best */
	u64 steps, max_steps;	 /* carried out; so many at most */
	u32 tries;
	bool over;   /* TRIED_STOP, or max_steps */
	bool better; /* this round has found something */
};

/* best and cost are set, the scripts have their memory. Afterwards `over` is set if there was no
 * time for all. */
void minimise_run(struct minimise *m);

#endif
