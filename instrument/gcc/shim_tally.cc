/* SPDX-License-Identifier: ISC */
/* shim_tally.cc - see shim.h: loads whose values make no difference, as in ../tally.h. */
#include "plugin.h"

#include "shim.h"

#define DEPTH_MAX 6

/* Is it a number computed from others, and can nothing else happen? */
static bool computes(gimple *s)
{
	if (!is_gimple_assign(s) || TREE_CODE(gimple_assign_lhs(s)) != SSA_NAME ||
		gimple_could_trap_p(s))
		return false;
	switch (gimple_assign_rhs_code(s)) {
	case SSA_NAME:
	CASE_CONVERT:
	case FLOAT_EXPR:
	case NEGATE_EXPR:
	case BIT_NOT_EXPR:
	case PLUS_EXPR:
	case MINUS_EXPR:
	case MULT_EXPR:
	case BIT_AND_EXPR:
	case BIT_IOR_EXPR:
	case BIT_XOR_EXPR:
	case LSHIFT_EXPR: return !POINTER_TYPE_P(TREE_TYPE(gimple_assign_lhs(s)));
	default: return false;
	}
}

/* --- shown ------------------------------------------------------------------------------------ */

static bool is_standard_stream(tree v)
{
	gimple *s = TREE_CODE(v) == SSA_NAME ? SSA_NAME_DEF_STMT(v) : NULL;
	tree from;

	if (!s || !gimple_assign_single_p(s))
		return false;
	from = gimple_assign_rhs1(s);
	if (!VAR_P(from) || !is_global_var(from) || !DECL_NAME(from))
		return false;
	return !strcmp(IDENTIFIER_POINTER(DECL_NAME(from)), "stdout") ||
	       !strcmp(IDENTIFIER_POINTER(DECL_NAME(from)), "stderr");
}

/* Does the call print v, and nothing use its result? */
static bool prints(gimple *s, tree v)
{
	static const struct {
		const char *name;
		unsigned first;
		bool stream;
	} printing[] = {
#define PRINTS(name, first, stream) {name, first, stream},
#include "../printing.def"
#undef PRINTS
	};
	gcall *call = dyn_cast<gcall *>(s);
	tree function = call ? gimple_call_fndecl(call) : NULL_TREE;

	if (!function || gimple_call_lhs(call) || !DECL_NAME(function))
		return false;
	for (const auto &p : printing) {
		if (strcmp(IDENTIFIER_POINTER(DECL_NAME(function)), p.name) ||
			gimple_call_num_args(call) < p.first)
			continue;
		for (unsigned i = 0; i < p.first; i++)
			if (gimple_call_arg(call, i) == v)
				return false;
		return !p.stream || is_standard_stream(gimple_call_arg(call, 0));
	}
	return false;
}

/* --- counted ---------------------------------------------------------------------------------- */

/* Does it store v where the load found its value? */
static bool returns(gimple *s, tree v, gimple *load)
{
	return gimple_assign_single_p(s) && gimple_assign_rhs1(s) == v &&
	       gimple_assign_single_p(load) && gimple_bb(s) == gimple_bb(load) &&
	       TREE_CODE(gimple_assign_lhs(s)) != SSA_NAME &&
	       operand_equal_p(
		       gimple_assign_lhs(s), gimple_assign_rhs1(load), OEP_ADDRESS_OF);
}

static bool only_counts(tree v, gimple *load, unsigned depth)
{
	imm_use_iterator i;
	use_operand_p use;

	FOR_EACH_IMM_USE_FAST(use, i, v)
	{
		gimple *s = USE_STMT(use);

		if (is_gimple_debug(s) || returns(s, v, load) || prints(s, v))
			continue;
		if (!depth || !computes(s) || !only_counts(gimple_assign_lhs(s), load, depth - 1))
			return false;
	}
	return true;
}

bool gcc_counts(gcc_stmt load)
{
	gimple *s = (gimple *)load;
	tree v = gimple_get_lhs(s);

	if (!v)
		return true;
	return TREE_CODE(v) == SSA_NAME &&
	       (INTEGRAL_TYPE_P(TREE_TYPE(v)) || SCALAR_FLOAT_TYPE_P(TREE_TYPE(v))) &&
	       only_counts(v, s, DEPTH_MAX);
}
