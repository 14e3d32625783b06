/* SPDX-License-Identifier: ISC */
/*
 * shim_test.cc - see shim.h: phis of which only comparisons with what is constant in the loop are
 * used: `while (a != 0) a = x;'. Their results are the state, in place of the value.
 */
#include "plugin.h"

#include "shim_loop.h"

#define TESTS_MAX 16
#define DEPTH_MAX 8

static bool is_scalar(tree type)
{
	return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

/* Is s a comparison? *left, *right: its operands. */
static bool is_comparison(gimple *s, tree_code *code, tree *left, tree *right)
{
	if (gimple_code(s) == GIMPLE_COND) {
		*code = gimple_cond_code(s);
		*left = gimple_cond_lhs(s);
		*right = gimple_cond_rhs(s);
		return true;
	}
	if (!is_gimple_assign(s) ||
		TREE_CODE_CLASS(gimple_assign_rhs_code(s)) != tcc_comparison)
		return false;
	*code = gimple_assign_rhs_code(s);
	*left = gimple_assign_rhs1(s);
	*right = gimple_assign_rhs2(s);
	return true;
}

/* Is it a value that is computed from one other and constants? */
static bool is_computed(gimple *s)
{
	if (!is_gimple_assign(s) || TREE_CODE(gimple_assign_lhs(s)) != SSA_NAME ||
		TREE_CODE(gimple_assign_rhs1(s)) != SSA_NAME ||
		!is_scalar(TREE_TYPE(gimple_assign_lhs(s))) ||
		!is_scalar(TREE_TYPE(gimple_assign_rhs1(s))) || gimple_could_trap_p(s))
		return false;
	switch (gimple_assign_rhs_code(s)) {
	case SSA_NAME:
	CASE_CONVERT:
	case NEGATE_EXPR:
	case BIT_NOT_EXPR: return true;
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
	case BIT_AND_EXPR:
	case BIT_IOR_EXPR:
	case BIT_XOR_EXPR:
	case LSHIFT_EXPR:
	case RSHIFT_EXPR: return TREE_CODE(gimple_assign_rhs2(s)) == INTEGER_CST;
	default: return false;
	}
}

static bool add_tests(const natural_loop *l, tree value, tree v, unsigned depth,
	auto_vec<loop_test> *tests)
{
	imm_use_iterator i;
	use_operand_p use;

	FOR_EACH_IMM_USE_FAST(use, i, v)
	{
		gimple *s = USE_STMT(use);
		loop_test t = {value, ERROR_MARK, NULL_TREE, NULL_TREE};

		if (is_gimple_debug(s))
			continue;
		if (is_comparison(s, &t.code, &t.left, &t.right)) {
			if (!shim_is_bound(l, t.left == v ? t.right : t.left) ||
				!is_scalar(TREE_TYPE(v)) || tests->length() == TESTS_MAX)
				return false;
			tests->safe_push(t);
		} else if (!depth || !is_computed(s) ||
			   !add_tests(l, value, gimple_assign_lhs(s), depth - 1, tests)) {
			return false;
		}
	}
	return true;
}

bool shim_only_tested(natural_loop *l, gphi *phi)
{
	tree value = gimple_phi_result(phi);
	auto_vec<loop_test> tests;

	if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value))
		return false;
	for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
		if (TREE_CODE(gimple_phi_arg_def(phi, i)) == SSA_NAME &&
			ssa_undefined_value_p(gimple_phi_arg_def(phi, i), false))
			return false;
	if (!add_tests(l, value, value, DEPTH_MAX, &tests) ||
		tests.length() + l->tests.length() > TESTS_MAX)
		return false;
	for (const loop_test &t : tests)
		l->tests.safe_push(t);
	return true;
}

/* v, computed at the head of the loop. */
static tree value_at_head(const loop_test *t, tree v)
{
	gimple *s;
	tree from;

	if (v == t->value || TREE_CODE(v) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(v))
		return v;
	s = SSA_NAME_DEF_STMT(v);
	if (!is_computed(s))
		return v;
	from = value_at_head(t, gimple_assign_rhs1(s));
	switch (TREE_CODE_CLASS(gimple_assign_rhs_code(s))) {
	case tcc_binary:
		return shim_settled(fold_build2(gimple_assign_rhs_code(s), TREE_TYPE(v), from,
			gimple_assign_rhs2(s)));
	case tcc_unary:
		return shim_settled(fold_build1(gimple_assign_rhs_code(s), TREE_TYPE(v), from));
	default: return from; /* a copy */
	}
}

gcc_tree shim_test_result(const loop_test *t)
{
	tree left = value_at_head(t, t->left), right = value_at_head(t, t->right);

	return shim_settled(fold_convert(gcc_bits_type(1),
		shim_settled(fold_build2(t->code, boolean_type_node, left, right))));
}
