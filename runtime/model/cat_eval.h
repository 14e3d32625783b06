/* SPDX-License-Identifier: ISC */
/*
 * cat_eval.h - the expressions of a model in a file (cat/cat.h) over the events in view.
 *
 * A plan is a model's expressions that some of its axioms need, in an order in which each is
 * computed from others. Relations are bit matrices; those of a `let rec' are computed again until
 * they do not grow.
 */
#ifndef MODEL_CAT_EVAL_H
#define MODEL_CAT_EVAL_H

#include "model/cat_view.h"

struct cat_plan {
	u32 n;		     /* expressions */
	u16 node[CAT_NODES]; /* their numbers in the model, ascending */
	u16 slot[CAT_NODES]; /* of a node of the plan: its place in memory */
	u16 group[256];	     /* the plan's first expression in or after each `let rec' */
};

/* A model, ready to be used. */
struct cat_model {
	struct cat cat;
	struct cat_plan prunes; /* for axioms that are checked of every graph */
	struct cat_plan all;
	bool has_end; /* there are axioms for complete executions, */
	bool has_flags; /* or flags */
	u32 max_events; /* of a graph, by the memory for relations */
	struct cat_view view; /* of the graph that is judged */
};

/* After cat_read(&m->cat): the plans. */
void cat_plan_model(struct cat_model *m);

/* Compute all expressions of the plan over v, whose frame has the memory. */
void cat_evaluate(struct cat_view *v, const struct cat *c, const struct cat_plan *p);
/* The matrix, or row of a set, of a node of the plan, afterwards. */
u64 *cat_value(const struct cat_view *v, const struct cat_plan *p, u32 node);
/* Does the axiom's test succeed, negation included? */
bool cat_holds(const struct cat_view *v, const struct cat *c, const struct cat_plan *p,
	const struct cat_axiom *x);

#endif
