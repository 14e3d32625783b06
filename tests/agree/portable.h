/* SPDX-License-Identifier: ISC */
/* portable.h - detect/port.h for the models of graph programs (its headers have the same names as
 * axioms.h). */
#ifndef AGREE_PORTABLE_H
#define AGREE_PORTABLE_H

#include "graph_program.h"
#include "model/graph.h"

enum model_id portable_model(enum gp_model m);

/* Has `to` all executions of `from`, as in port_includes()? */
bool portable_includes(enum gp_model to, enum gp_model from);

/* Is g one of `from`, too? For rc11, and for graphs that are too large: `known`. */
bool portable_allows(const struct graph *g, enum gp_model from, bool known);

#endif
