/* SPDX-License-Identifier: ISC */
/* shim_loop.h - loops, and the counters at their heads: shim_loop.cc, shim_counter.cc. */
#ifndef INSTRUMENT_GCC_SHIM_LOOP_H
#define INSTRUMENT_GCC_SHIM_LOOP_H

#include "shim.h"

/* A comparison `counter + offset CODE bound'. */
struct loop_view {
	gimple *statement;
	tree_code code;
	bool is_signed;
	HOST_WIDE_INT offset;
	tree bound;
};

struct loop_counter {
	gphi *phi;
	tree value, memory; /* its result; the variable that the call may change */
	bool falls;
	tree first; /* a constant, or NULL_TREE */
	auto_vec<loop_view> views;
};

struct natural_loop {
	basic_block head;
	auto_vec<basic_block> blocks; /* the first is the head */
	auto_vec<gimple *> statements;
	auto_vec<tree> values; /* of the phis; variables in memory */
	auto_delete_vec<loop_counter> counters;
	tree entered;
};

/* Does the phi only count? The caller deletes the result; NULL: it does not. */
loop_counter *shim_counter_of(natural_loop *l, gphi *phi);
loop_counter *shim_loop_counter(unsigned loop, unsigned i);

#endif
