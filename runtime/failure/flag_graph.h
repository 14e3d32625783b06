/* SPDX-License-Identifier: ISC */
/*
 * flag_graph.h - executions that the flags of the model in a file speak of: `flag ~empty race as
 * race' in a .cat file. Herding cats, TOPLAS 2014; herd reports them, and allows the execution.
 */
#ifndef FAILURE_FLAG_GRAPH_H
#define FAILURE_FLAG_GRAPH_H

#include "event/finding.h"
#include "model/file/cat_explain.h"
#include "trust/trust.h"

#define FLAGS_MOST 64 /* of an execution; more are not reported */

/* The flags of x's graph, a complete execution, into to[FLAGS_MOST]. Returns their number. */
u32 flag_graph_list(const struct trust *x, struct raised *to);
/* The finding of one of them. */
void flag_graph_describe(const struct trust *x, const struct raised *r, struct finding *f);
/* Has x's graph this finding? The site may be unknown: 0. */
bool flag_graph_has(const struct trust *x, const struct finding *f, struct raised *r);

#endif
