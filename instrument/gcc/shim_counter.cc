/* SPDX-License-Identifier: ISC */
/*
 * shim_counter.cc - see shim.h: phis that only count the iterations of a loop (../counter.h).
 *
 * The counter is used in comparisons with what is constant in the loop, the views, and nowhere
 * else. The call at the head may move it: so it is in memory there, and from there on a register
 * of its own.
 */
#include "plugin.h"

#include "shim_loop.h"

#include "../../include/heddle/abi.h"

#define VISITS_MAX 200

/* --- values computed from it ------------------------------------------------------------------ */

struct counting {
	natural_loop *l;
	loop_counter *c;
	hash_map<tree, HOST_WIDE_INT> offset; /* to the counter; not there: none, or unknown */
	hash_set<tree> seen;
	unsigned visits;
	bool rises, falls;
	bool mixed; /* some iterations count, others do not */
};

static bool may_count(tree type)
{
	return TREE_CODE(type) == INTEGER_TYPE &&
	       (TYPE_PRECISION(type) == 32 || TYPE_PRECISION(type) == 64);
}

/* Is s a copy of another number? */
static bool is_copy(gimple *s)
{
	if (!is_gimple_assign(s) || TREE_CODE(gimple_assign_rhs1(s)) != SSA_NAME ||
		TREE_CODE(gimple_assign_lhs(s)) != SSA_NAME)
		return false;
	return gimple_assign_rhs_code(s) == SSA_NAME ||
	       (CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s)) &&
		       INTEGRAL_TYPE_P(TREE_TYPE(gimple_assign_rhs1(s))) &&
		       TYPE_PRECISION(TREE_TYPE(gimple_assign_rhs1(s))) ==
			       TYPE_PRECISION(TREE_TYPE(gimple_assign_lhs(s))));
}

/* Is s another number plus a constant? */
static bool is_step(gimple *s, HOST_WIDE_INT *step)
{
	tree_code code = is_gimple_assign(s) ? gimple_assign_rhs_code(s) : ERROR_MARK;

	if ((code != PLUS_EXPR && code != MINUS_EXPR) ||
		TREE_CODE(gimple_assign_rhs1(s)) != SSA_NAME ||
		TREE_CODE(gimple_assign_rhs2(s)) != INTEGER_CST ||
		!may_count(TREE_TYPE(gimple_assign_lhs(s))))
		return false;
	*step = int_cst_value(gimple_assign_rhs2(s));
	*step = code == MINUS_EXPR ? -*step : *step;
	return true;
}

static bool is_inner_phi(const natural_loop *l, gimple *s)
{
	return gimple_code(s) == GIMPLE_PHI && gimple_bb(s) != l->head &&
	       l->blocks.contains(gimple_bb(s));
}

/* Is the value at the end of an iteration the counter, or the counter plus steps? */
static bool is_counted(counting *a, tree v)
{
	HOST_WIDE_INT step;
	gimple *s;

	if (v == a->c->value)
		return true;
	if (TREE_CODE(v) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(v))
		return false;
	if (a->seen.add(v))
		return true;
	s = SSA_NAME_DEF_STMT(v);
	if (is_step(s, &step)) {
		a->rises |= step > 0;
		a->falls |= step < 0;
		return is_counted(a, gimple_assign_rhs1(s));
	}
	if (is_copy(s))
		return is_counted(a, gimple_assign_rhs1(s));
	if (!is_inner_phi(a->l, s))
		return false;
	for (unsigned i = 0; i < gimple_phi_num_args(s); i++)
		if (!is_counted(a, gimple_phi_arg_def(s, i)))
			return false;
	return true;
}

/* --- uses ------------------------------------------------------------------------------------- */

bool shim_is_bound(const natural_loop *l, tree v)
{
	gimple *s;

	if (TREE_CODE(v) == INTEGER_CST)
		return true;
	if (TREE_CODE(v) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(v))
		return false;
	if (SSA_NAME_IS_DEFAULT_DEF(v))
		return SSA_NAME_VAR(v) && TREE_CODE(SSA_NAME_VAR(v)) == PARM_DECL;
	s = SSA_NAME_DEF_STMT(v);
	return gimple_code(s) == GIMPLE_CALL && gimple_bb(s) != l->head &&
	       dominated_by_p(CDI_DOMINATORS, l->head, gimple_bb(s));
}

static bool add_view(counting *a, gimple *s, tree v, tree_code code, tree left, tree right)
{
	HOST_WIDE_INT *offset = a->offset.get(v);

	if (!offset || TREE_CODE_CLASS(code) != tcc_comparison)
		return false;

	loop_view w = {s, code, !TYPE_UNSIGNED(TREE_TYPE(v)), *offset, right};

	if (right == v) {
		w.code = swap_tree_comparison(code);
		w.bound = left;
	}
	if (!shim_is_bound(a->l, w.bound))
		return false;
	a->c->views.safe_push(w);
	return true;
}

static bool visit_uses(counting *a, tree v);

/* v, computed from the counter by a step. */
static bool visit_value(counting *a, tree v, tree from, HOST_WIDE_INT step)
{
	HOST_WIDE_INT *offset = a->offset.get(from), *had = a->offset.get(v);

	if (a->seen.add(v)) {
		a->mixed |= !had || !offset || *had != *offset + step;
		return true;
	}
	if (offset)
		a->offset.put(v, *offset + step);
	return visit_uses(a, v);
}

/* Does the value only enter the loop again? */
static bool only_enters(const counting *a, gimple *phi)
{
	imm_use_iterator i;
	use_operand_p use;

	if (gimple_code(phi) != GIMPLE_PHI)
		return false;
	FOR_EACH_IMM_USE_FAST(use, i, gimple_phi_result(phi))
	if (USE_STMT(use) != a->c->phi && !is_gimple_debug(USE_STMT(use)))
		return false;
	return true;
}

static bool visit_use(counting *a, tree v, gimple *s)
{
	HOST_WIDE_INT step;

	if (is_gimple_debug(s) || s == a->c->phi || only_enters(a, s))
		return true;
	if (is_step(s, &step))
		return visit_value(a, gimple_assign_lhs(s), v, step);
	if (is_copy(s))
		return visit_value(a, gimple_assign_lhs(s), v, 0);
	if (is_inner_phi(a->l, s))
		return visit_value(a, gimple_phi_result(s), v, 0);
	if (gimple_code(s) == GIMPLE_COND)
		return add_view(
			a, s, v, gimple_cond_code(s), gimple_cond_lhs(s), gimple_cond_rhs(s));
	if (is_gimple_assign(s) && gimple_num_ops(s) == 3)
		return add_view(a, s, v, gimple_assign_rhs_code(s), gimple_assign_rhs1(s),
			gimple_assign_rhs2(s));
	return false;
}

static bool visit_uses(counting *a, tree v)
{
	imm_use_iterator i;
	use_operand_p use;

	FOR_EACH_IMM_USE_FAST(use, i, v)
	if (a->visits++ == VISITS_MAX || !visit_use(a, v, USE_STMT(use)))
		return false;
	return true;
}

/* The constant that it begins with; NULL_TREE: several, or none. */
static tree first_value(const natural_loop *l, gphi *phi)
{
	tree first = NULL_TREE, v;

	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
		if (l->blocks.contains(gimple_phi_arg_edge(phi, i)->src))
			continue;
		v = gimple_phi_arg_def(phi, i);
		if (TREE_CODE(v) != INTEGER_CST || (first && !tree_int_cst_equal(first, v)))
			return NULL_TREE;
		first = v;
	}
	return first;
}

loop_counter *shim_counter_of(natural_loop *l, gphi *phi)
{
	loop_counter *c = new loop_counter;
	counting a;

	c->phi = phi;
	c->value = gimple_phi_result(phi);
	a.l = l;
	a.c = c;
	a.visits = 0;
	a.rises = a.falls = a.mixed = false;
	bool counts = may_count(TREE_TYPE(c->value)) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(c->value);

	for (unsigned i = 0; counts && i < gimple_phi_num_args(phi); i++)
		if (l->blocks.contains(gimple_phi_arg_edge(phi, i)->src))
			counts = is_counted(&a, gimple_phi_arg_def(phi, i));
	a.seen.empty();
	a.offset.put(c->value, 0);
	if (!counts || a.rises == a.falls || !visit_uses(&a, c->value) ||
		(a.mixed && c->views.length())) {
		delete c;
		return NULL;
	}
	c->falls = a.falls;
	c->first = first_value(l, phi);
	return c;
}

/* --- its state -------------------------------------------------------------------------------- */

static tree word_of(const loop_counter *c)
{
	return gcc_bits_type(TYPE_PRECISION(TREE_TYPE(c->value)) / 8);
}

static tree as_rising(const loop_counter *c, tree v)
{
	return c->falls ? shim_settled(fold_build1(BIT_NOT_EXPR, TREE_TYPE(v), v)) : v;
}

/* The value that is compared. */
static tree compared(const loop_counter *c, const loop_view *w, tree counter)
{
	tree type = word_of(c);

	return shim_settled(fold_build2(
		PLUS_EXPR, type, fold_convert(type, counter), build_int_cst(type, w->offset)));
}

static tree comparison(tree_code code, bool is_signed, tree a, tree b)
{
	if (is_signed) {
		a = shim_settled(fold_convert(signed_type_for(TREE_TYPE(a)), a));
		b = shim_settled(fold_convert(signed_type_for(TREE_TYPE(b)), b));
	}
	return shim_settled(fold_build2(code, boolean_type_node, a, b));
}

unsigned gcc_counter_views(unsigned loop, unsigned i)
{
	return shim_loop_counter(loop, i)->views.length();
}

gcc_tree gcc_counter_view(unsigned loop, unsigned i, unsigned k)
{
	const loop_counter *c = shim_loop_counter(loop, i);
	const loop_view *w = &c->views[k];

	return shim_settled(fold_convert(gcc_bits_type(1),
		comparison(w->code, w->is_signed, compared(c, w, gcc_get(c->memory)),
			shim_settled(fold_convert(word_of(c), w->bound)))));
}

/* A number in the unit of struct heddle_counter. */
static tree scaled(const loop_counter *c, tree v)
{
	tree type = gcc_bits_type(8);

	return shim_settled(fold_build2(LSHIFT_EXPR, type, shim_settled(fold_convert(type, v)),
		build_int_cst(integer_type_node, 64 - TYPE_PRECISION(TREE_TYPE(c->value)))));
}

gcc_tree gcc_counter_at(unsigned loop, unsigned i)
{
	const loop_counter *c = shim_loop_counter(loop, i);

	return scaled(c, as_rising(c, gcc_get(c->memory)));
}

/* By how much can it rise until the comparison changes? All ones: it never will. (room() of
 * ../counter.c) */
static tree room_of(const loop_counter *c, const loop_view *w)
{
	tree type = word_of(c), x = as_rising(c, compared(c, w, gcc_get(c->memory))), first, left,
	     one = build_int_cst(type, 1), pending, mask, all = gcc_bits_type(8), free;
	tree bound = as_rising(c, shim_settled(fold_convert(type, w->bound)));
	tree_code code = c->falls ? swap_tree_comparison(w->code) : w->code;
	bool equality = code == EQ_EXPR || code == NE_EXPR, counts = equality && c->first;
	bool includes = equality || code == GT_EXPR || code == LE_EXPR;

	if (counts) {
		first = as_rising(c, compared(c, w, c->first));
		x = shim_settled(fold_build2(MINUS_EXPR, type, x, first));
		bound = shim_settled(fold_build2(MINUS_EXPR, type, bound, first));
	}
	left = shim_settled(fold_build2(MINUS_EXPR, type, bound, x));
	if (equality) /* left, less one unless it is 0 */
		left = shim_settled(fold_build2(MINUS_EXPR, type, left,
			shim_settled(fold_convert(
				type, comparison(NE_EXPR, false, x, bound)))));
	else if (!includes)
		left = shim_settled(fold_build2(MINUS_EXPR, type, left, one));
	pending = comparison(includes ? LE_EXPR : LT_EXPR, equality ? !counts : w->is_signed, x,
		bound);
	mask = shim_settled(fold_convert(all, pending));
	mask = shim_settled(fold_build1(NEGATE_EXPR, all, mask));
	free = shim_settled(fold_build1(BIT_NOT_EXPR, all, mask));
	left = shim_settled(fold_build2(BIT_AND_EXPR, all, scaled(c, left), mask));
	return shim_settled(fold_build2(BIT_IOR_EXPR, all, left, free));
}

gcc_tree gcc_counter_left(unsigned loop, unsigned i)
{
	const loop_counter *c = shim_loop_counter(loop, i);
	tree left = build_all_ones_cst(gcc_bits_type(8));

	for (unsigned k = 0; k < c->views.length(); k++)
		left = shim_settled(
			fold_build2(MIN_EXPR, gcc_bits_type(8), left, room_of(c, &c->views[k])));
	return left;
}

void gcc_counter_move(unsigned loop, unsigned i, gcc_tree at)
{
	const loop_counter *c = shim_loop_counter(loop, i);

	at = shim_settled(fold_build2(RSHIFT_EXPR, gcc_bits_type(8), at,
		build_int_cst(integer_type_node, 64 - TYPE_PRECISION(TREE_TYPE(c->value)))));
	gcc_set(c->memory, as_rising(c, shim_settled(fold_convert(word_of(c), at))));
}
