/* SPDX-License-Identifier: ISC */
/* shim_loop.h - loops, and the counters and tests at their heads: shim_loop.cc, shim_counter.cc,
 * shim_test.cc. */
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

/* A comparison of a value computed from the phi's. */
struct loop_test {
	tree value; /* of the phi */
	tree_code code;
	tree left, right;
};

struct natural_loop {
	basic_block head;
	auto_vec<basic_block> blocks; /* the first is the head */
	auto_vec<gimple *> statements;
	auto_vec<tree> values; /* of the phis; variables in memory */
	auto_vec<loop_test> tests;
	auto_delete_vec<loop_counter> counters;
	tree entered;
};

/* Does the phi only count? The caller deletes the result; NULL: it does not. */
loop_counter *shim_counter_of(natural_loop *l, gphi *phi);
loop_counter *shim_loop_counter(unsigned loop, unsigned i);

/* Is v the same in all iterations, and no counter of another loop? */
bool shim_is_bound(const natural_loop *l, tree v);

/* Are only comparisons of the phi used? Then they become tests of the loop. */
bool shim_only_tested(natural_loop *l, gphi *phi);
gcc_tree shim_test_result(const loop_test *t); /* a byte */

#endif
