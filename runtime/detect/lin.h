/* SPDX-License-Identifier: ISC */
/*
 * lin.h - is there an order of operations that explains their results? include/heddle/lin.h has the
 * definition.
 *
 * Wing and Gong's search (JPDC 1993) for the order, an operation at a time, with backtracking where
 * the specification refuses one; with Lowe's memoization (CCPE 2017) of the pairs tried: the set of
 * placed operations, and the state after them. Precedence is the caller's: any partial order.
 */
#ifndef DETECT_LIN_H
#define DETECT_LIN_H

#include "base/base.h"
#include "base/text.h"
#include "heddle/lin.h"

#define LIN_OPS HEDDLE_SPEC_OPS

/* Bytes of memory sufficient for a search of 2^16 states of the largest size, or more smaller
 * ones. */
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
	LIN_UNKNOWN, /* too many states */
};

/* The order found; with LIN_NO the longest one that explains its results. */
struct lin_order {
	u32 n;
	u8 op[LIN_OPS];
};

/*
 * memory: zeroed before the first call, not changed between calls; its size bounds the states.
 * order may be NULL. An operation that has not returned need not be in the order.
 */
enum lin_verdict lin_check(
	const struct lin_history *h, void *memory, size_t size, struct lin_order *order);

/* The reason why operation i, not yet placed, cannot follow the order. */
struct lin_reason {
	i32 after; /* an operation that precedes it and is not placed; -1: none, */
	bool knows; /* and the specification gives a possible result: */
	i64 ret;
};

struct lin_reason lin_reason(const struct lin_history *h, const struct lin_order *order, u32 i);
/* The state after the order, in words; "" = unknown to the specification. */
void lin_state(
	const struct lin_history *h, const struct lin_order *order, char *words, size_t room);

/* Check the specification. NULL: valid; else its mistake. */
const char *lin_spec_error(const struct heddle_spec *spec);

/* "enq(1)", and with its result: "deq() -> 2", "deq() -> empty", "deq() ..." if it has none. */
void lin_put_call(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op);
void lin_put_op(struct text *t, const struct heddle_spec *spec, const struct heddle_op *op);
/* A result of operation i. */
void lin_put_result(struct text *t, const struct heddle_spec *spec, int i, i64 ret);

#endif
