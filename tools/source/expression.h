/* SPDX-License-Identifier: ISC */
/*
 * expression.h - the expressions in the source that an event may be about, with their types.
 *
 * Debug information has the place of an access in the source; the source has `p->sem.lock' there,
 * and debug information has the type of p. If p is a parameter, the call tells more: `&pool->sem'.
 */
#ifndef SOURCE_EXPRESSION_H
#define SOURCE_EXPRESSION_H

#include "source/symbol.h"

struct expression {
	char *text;	  /* its text in the source */
	Dwarf_Die object; /* the type of the accessed memory */
	bool rooted;	  /* it is part of the target of a pointer: */
	Dwarf_Die root;	  /* the type of that, */
	u64 offset, stride; /* and where in it; stride: plus a multiple of that */
	bool settled; /* it contains no parameter of an enclosing call */
};

/* Calls take() for each expression at the place of the innermost frame, and for its forms in
 * callers, until that returns true. */
typedef bool expression_take(void *data, const struct expression *e);
void expression_each(
	struct symbols *s, const struct trace_stack *stack, expression_take *take, void *data);

/* The origin of a heap block. */
struct origin {
	char *name;	/* "slots" of q->slots = malloc(...); NULL: unknown */
	bool typed;
	Dwarf_Die type; /* of its contents */
	u64 address;	/* of the frame with that assignment, 0: unknown */
	unsigned frame; /* its number at that address */
};

void expression_origin(struct symbols *s, const struct trace_stack *stack, struct origin *origin);

#endif
