/* SPDX-License-Identifier: ISC */
/* model_file.h - the model in a file, --model FILE.cat: reading it, and the executions that it does
 * not cover. */
#ifndef SEARCH_LIMIT_MODEL_FILE_H
#define SEARCH_LIMIT_MODEL_FILE_H

#include "base/option.h"

struct cat_model;

/* A search begins: read o->cat, if there is one. False: the status page's note has the mistake. */
bool model_file_begin(const struct options *o);
/* The model, until the next search; NULL: there is none. */
struct cat_model *model_file(void);
/* Does it depend on addr, data or ctrl? */
bool model_file_has_dependencies(void);
/* Has it tags of its own for this fence (HEDDLE_FENCE_*)? */
bool model_file_has_fence(u32 kind);
/* Does it have a causal order (cat/map.h), so that load buffering is explored? */
bool model_file_has_causes(void);
/* TRUST_LONG if a graph was too large for it, and left out; else 0. */
u32 model_file_left_out(void);
/* A search of it is over: note the executions that it has left out. buffered: those with load
 * buffering, if there are any, have been explored. */
void model_file_end(bool buffered);

#endif
