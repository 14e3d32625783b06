/* SPDX-License-Identifier: ISC */
/* cat_model.h - a memory model from a file, ready to judge graphs. */
#ifndef MODEL_FILE_CAT_MODEL_H
#define MODEL_FILE_CAT_MODEL_H

#include "model/file/cat_eval.h"

struct cat_model {
	struct cat cat;
	struct cat_plan prefixes, whole, flags, explain;
	bool has_end;	      /* there are axioms for complete executions, */
	bool has_flags;	      /* or flags */
	bool too_large;	      /* a graph was: it was left out */
	struct cat_view view; /* of the graph that is judged */
};

/* After cat_read(&m->cat): the plans. */
void cat_model_prepare(struct cat_model *m);

/* Does a successful CAS of this model, in a file or not, return what it expected (cas_picks of
 * model.h)? */
bool cat_model_cas_picks(const struct model *m, const struct places *p);

/* Does m, or NULL, have tags of its own for this instruction (HEDDLE_FENCE_*)? */
bool cat_model_has_fence(const struct cat_model *m, u32 kind);

/* The view of m of all of g, changed (model/file/cat_view.h; NULL: not), for one of m's plans.
 * False: it is too large. The caller closes it. */
bool cat_model_view(struct cat_model *m, const struct graph *g, const struct cat_plan *p,
	const u8 *change);

#endif
