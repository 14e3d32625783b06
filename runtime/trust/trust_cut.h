/* SPDX-License-Identifier: ISC */
/*
 * trust_cut.h - the upper part of an exploration: down to a number of choices.
 *
 * A *choice* is an event that the exploration changes at least once: another source of a read,
 * another place in co, a revisit. The graphs behind so many choices, and the leaves before, are the
 * same in all explorations of a program, in the same order; each is the root of a part of the
 * exploration that nothing else has. So processes that do not communicate can share the
 * work (search/jobs/shard.h).
 */
#ifndef TRUST_TRUST_CUT_H
#define TRUST_TRUST_CUT_H

#include "trust/trust.h"

#define CUT_CHOICES 250

struct cut {
	u32 choices; /* after so many, at most CUT_CHOICES, */
	/* the graph is not extended. frontier_export_below() makes an image of the rest. */
	void (*node)(struct trust *x, void *ctx);
	void *ctx;
	/* internal */
	u32 now; /* choices behind the current graph */
	u32 n;	 /* its events that they have been counted for */
};

/* Explore the upper part, from the beginning; leaves are reported as usual. As trust_run(). */
void trust_run_cut(struct trust *x, struct cut *c);

/* An event has been changed that had so many choices before; on a level of its own, or another
 * event is now the last: `fresh'. */
void cut_turn(struct trust *x, u32 choices, bool fresh);

/* Is the current graph not to be extended? Or x->answer. */
bool cut_reached(struct trust *x);

#endif
