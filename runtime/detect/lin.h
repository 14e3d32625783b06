/* SPDX-License-Identifier: ISC */
/*
 * lin.h - is there an order of operations that explains their results? include/heddle/lin.h says
 * what that means.
 *
 * Wing and Gong's search (JPDC 1993) for the order, an operation at a time, that goes back where
 * the specification says no; with Lowe's memory (CCPE 2017) of what has been tried: which
 * operations have been placed, and the state after them. What is "before" is the caller's: any
 * partial order.
 */
#ifndef DETECT_LIN_H
#define DETECT_LIN_H

#include "base/base.h"
#include "base/text.h"
#include "heddle/lin.h"

#define LIN_OPS HEDDLE_SPEC_OPS

/* Bytes of memory that are enough for a search of 2^16 states of the largest size, and more of
 * smaller. */
#define LIN_MEMORY ((size_t)300 << 20)

struct lin_op {
	struct heddle_op op;
	u64 before; /* bit i: operation i has ended before this one began */
};

struct lin_history {
	const struct heddle_spec *spec;
	i64 parameter;
	u32 n;
	struct lin_op op[LIN_OPS];
};

enum lin_verdict {
	LIN_YES,
	LIN_NO,
	LIN_UNKNOWN, /* more states than there is room for */
};

/* The order found; of LIN_NO the longest one that explains what it has. */
struct lin_order {
	u32 n;
	u8 op[LIN_OPS];
};

/*
 * memory: zeroed before the first call, not touched in between; the more, the more states there is
 * room for. order may be NULL. An operation that has not returned need not be in the order.
 */
enum lin_verdict lin_check(
	const struct lin_history *h, void *memory, size_t size, struct lin_order *order);

/* Why operation i cannot be next after an order, which has not placed it. */
struct lin_reason {
	i32 after; /* the operation that is before it and not placed either; -1: none, */
	bool knows; /* and the specification says what its result could be: */
	i64 ret;
};

struct lin_reason lin_reason(const struct lin_history *h, const struct lin_order *order, u32 i);
/* What the order leads to, in words; "" = the specification does not tell. */
void lin_state(
	const struct lin_history *h, const struct lin_order *order, char *words, size_t room);

/* Is the specification one? NULL: yes; else what is wrong with it. */
const char *lin_spec_error(const struct heddle_spec *spec);

/* "enq(1)", and with its result: "deq() -> 2", "deq() -> empty", "deq() ..." if it has none. */
void lin_put_call(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op);
void lin_put_op(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op);
/* A result of operation i. */
void lin_put_result(struct text *t, const struct heddle_spec *spec, int i, i64 ret);

#endif
