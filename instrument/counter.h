/* SPDX-License-Identifier: ISC */
/*
 * counter.h - variables that only count the iterations of a loop.
 *
 * Idea.   A loop that waits may count its iterations, for statistics or to try harder after a
 *         thousand. The counter makes each iteration another state, though only the results of some
 *         comparisons depend on it, the *views*: `n > 1000' in the loop, `n > 5 ? a : b' after it.
 * Room.   A counter that only grows (or only falls) passes each bound once. Between two bounds all
 *         iterations are equal. So the state contains the views, and the runtime gets the distance
 *         to the next bound: it may advance the counter by several iterations, beyond the bound
 *         (graph/loop_state.h). Beyond all bounds the counter is not part of the state. A counter
 *         of 32 bits or more is assumed not to wrap around.
 * Set back. A loop in a loop may share its head: the counter is set back to where it began. The
 *         runtime detects that it has fallen, and does not take the difference for a step.
 * Not.    Counters that are set to anything else in an iteration, or whose value itself is stored,
 *         returned or given to a function.
 */
#ifndef INSTRUMENT_COUNTER_H
#define INSTRUMENT_COUNTER_H

#include "emit.h"

#define COUNTER_CARRIERS 4
#define COUNTER_VIEWS	 8
#define COUNTER_ALIASES	 4
#define COUNTER_DEPTH	 12

/* A phi that is not of the counter itself, but has its value on some path. */
struct counter_alias {
	LLVMValueRef phi, value;
};

struct counter_view {
	LLVMValueRef value;
	struct counter_alias alias[COUNTER_ALIASES];
	unsigned naliases;
};

struct counter {
	/* Phis that have its value where the state is compared; outside: after the loop. */
	LLVMValueRef carrier[COUNTER_CARRIERS];
	bool outside[COUNTER_CARRIERS];
	unsigned ncarriers;
	LLVMValueRef at[2]; /* where that is */
	bool watched;	    /* no iteration passes by the places */
	bool falls;
	LLVMValueRef start; /* a constant; NULL: not known */
	struct counter_view view[COUNTER_VIEWS];
	unsigned nviews;
	unsigned visits;
};

/* Is it a carrier? */
bool counter_has(const struct counter *c, LLVMValueRef v);

/* Do the carriers only count? The loop is entered from the blocks `entry`, which set them anew.
 * at[1] may be NULL. */
bool counter_analyse(struct counter *c, LLVMBasicBlockRef *entry, unsigned nentries);

/* Its value, and its distance to the next change of a comparison: of type i64, as in struct
 * heddle_counter (heddle/abi.h). */
struct counter_position {
	LLVMValueRef at, left;
};

/* Pass the views, for the counter's present value, to `put`. */
struct counter_position counter_emit(const struct counter *c, struct emit *e, LLVMValueRef now,
	void (*put)(void *context, LLVMValueRef value), void *context);

/* The counter at this place. */
LLVMValueRef counter_value(const struct counter *c, struct emit *e, LLVMValueRef at);

/* The maximum size of the views in bytes. */
unsigned long long counter_bytes(const struct counter *c, struct emit *e);

/* May a variable of this type be a counter? */
bool counter_may_be(LLVMTypeRef type);

/* Does the result depend on the operands only? / Is v another value plus a constant? */
bool counter_is_pure(LLVMValueRef v);
bool counter_is_step(LLVMValueRef v, LLVMValueRef *other, bool *falls);

/* counter_memory.c. Of code that is not optimised: variables in memory that could be counters
 * become phis. Invalidates lists of instructions. */
void counter_promote(LLVMValueRef function);

#endif
