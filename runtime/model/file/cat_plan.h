/* SPDX-License-Identifier: ISC */
/*
 * cat_plan.h - the order in which the expressions of a model in a file (cat/cat.h) are computed,
 * and where their values are.
 *
 * A plan has the expressions that some of the model's axioms need, operands first. Values share
 * memory: a value is there until the last expression of it is computed. An axiom is due as soon as
 * its own expression is.
 */
#ifndef MODEL_FILE_CAT_PLAN_H
#define MODEL_FILE_CAT_PLAN_H

#include "cat/cat.h"

struct cat_plan {
	u32 n;		       /* expressions */
	u32 nsets, nrelations; /* values at the same time */
	u32 naxioms;
	bool ordered; /* it has the model's CAT_ORDER */
	u16 node[CAT_NODES];  /* their numbers in the model, ascending */
	u16 slot[CAT_NODES];  /* of a node of the plan: its place among sets, or relations */
	u16 group[256];	      /* the plan's first expression in or after each `let rec' */
	u8 axiom[CAT_AXIOMS]; /* in the order in which they are due */
	u16 due[CAT_AXIOMS];  /* and then so many expressions have been computed */
};

/* Which axioms a plan is for. */
enum cat_purpose {
	CAT_FOR_PREFIXES, /* those that are checked of every graph */
	CAT_FOR_WHOLE,	  /* all that are required, */
	CAT_FOR_FLAGS,	  /* or that are reported */
	CAT_TO_EXPLAIN,	  /* all; no value makes room for another */
};

void cat_plan_make(struct cat_plan *p, const struct cat *c, enum cat_purpose purpose);
/* Of one axiom alone. */
void cat_plan_axiom(struct cat_plan *p, const struct cat *c, u32 axiom);

#endif
