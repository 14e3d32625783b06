/* SPDX-License-Identifier: ISC */
/*
 * cat_eval.h - the expressions of a model in a file (cat/cat.h) over the events in view.
 *
 * Relations are bit matrices; those of a `let rec' are computed again until they do not grow. A
 * run computes the expressions of a plan up to one axiom after another.
 */
#ifndef MODEL_FILE_CAT_EVAL_H
#define MODEL_FILE_CAT_EVAL_H

#include "model/file/cat_plan.h"
#include "model/file/cat_view.h"

/* The search for an order of a set (CAT_ORDER): the events placed so far, first to last. */
#define ORDER_EVENTS 512

struct cat_order {
	bool known;	     /* the following are; they do not depend on the order */
	bool cyclic;	     /* there is none */
	u32 n, nplaced;	     /* in the set, placed */
	u16 placed[ORDER_EVENTS];
	u64 set[ORDER_EVENTS / 64];
	u64 before[ORDER_EVENTS][ORDER_EVENTS / 64]; /* of each event: those that come first */
};

struct cat_run {
	struct cat_view *v; /* its frame has the memory */
	const struct cat *c;
	const struct cat_plan *p;
	u32 at, next; /* expression, axiom */
	struct cat_order *order; /* NULL: none is looked for, and it is empty */
};

/* Is there memory for the plan's values over n events? */
bool cat_fits(const struct cat_plan *p, u32 n);

/* Compute until the plan's next axiom is due, which is returned; run->c->naxioms: none is left. */
u32 cat_next(struct cat_run *run);
/* The matrix, or row of a set, of a node of the plan, as long as it is there
 * (model/file/cat_plan.h). */
u64 *cat_value(const struct cat_run *run, u32 node);
/* Does the test of the axiom that is due succeed, negation included? */
bool cat_holds(const struct cat_run *run, u32 axiom);
/* The first axiom that fails for every order; run->c->naxioms: all hold. */
u32 cat_first_broken(struct cat_run *run);

#endif
