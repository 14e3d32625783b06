/* SPDX-License-Identifier: ISC */
/* node.h - making the expressions of a model: types, and equal ones once. Private to cat/. */
#ifndef CAT_NODE_H
#define CAT_NODE_H

#include "cat/cat.h"

#define NODE_WRONG 0 /* no expression: types do not fit, or there is no room (c->nnodes) */

/* The table of equal nodes, and the `let rec' that is being defined. */
struct cat_nodes {
	struct cat *c;
	u16 *bucket; /* [NODE_BUCKETS] */
	u32 token;   /* where the next node is written */
};
#define NODE_BUCKETS 4096

/* A node with these operands, of this type if they leave it open. */
u16 node_make(struct cat_nodes *n, enum cat_op op, u32 a, u32 b);
u16 node_constant(struct cat_nodes *n, enum cat_op op, enum cat_type type);

/* A name of a `let rec' before its definition is known. */
u16 node_var(struct cat_nodes *n, u8 group);
/* Its definition. False: it is of another type. */
bool node_define(struct cat_nodes *n, u16 var, u16 definition);

/* The same expression as one of this type; NODE_WRONG: it has another. */
u16 node_as(struct cat_nodes *n, u16 node, enum cat_type type);

#endif
