/* SPDX-License-Identifier: ISC */
/*
 * expression.h - the expressions in the source that an event may be about, with their types.
 *
 * Debug information says where in the source an access is; there the source says `p->sem.lock', and
 * debug information again what p points to. Where p is a parameter, the call may know more:
 * `&pool->sem'.
 */
#ifndef REPORT_EXPRESSION_H
#define REPORT_EXPRESSION_H

#include "report/symbol.h"

struct expression {
	char *text;	  /* as it stands in the source */
	Dwarf_Die object; /* the type of what is accessed */
	bool rooted;	  /* it is part of what a pointer points to: */
	Dwarf_Die root;	  /* the type of that, */
	u64 offset, stride; /* and where in it; stride: plus a multiple of that */
	bool settled; /* no parameter of an enclosing call is in it */
};

/* Calls take() for each that the place of the innermost frame may mean, and for what it means in
 * callers, until that returns true. */
typedef bool expression_take(void *data, const struct expression *e);
void expression_each(
	struct symbols *s, const struct trace_stack *stack, expression_take *take, void *data);

/* Where a block of the heap comes from. */
struct origin {
	char *name;	/* "slots" of q->slots = malloc(...); NULL: unknown */
	bool typed;
	Dwarf_Die type; /* of what it holds */
	u64 address;	/* of the frame with that assignment, 0: unknown */
	unsigned frame; /* its number at that address */
};

void expression_origin(struct symbols *s, const struct trace_stack *stack, struct origin *origin);

#endif
