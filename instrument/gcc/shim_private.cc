/* SPDX-License-Identifier: ISC */
/*
 * shim_private.cc - see shim.h: local variables that no other function can access.
 *
 * Idea.   As in ../private.c: a variable is private if its address is used only by accesses in this
 *         function. A pointer derived from the address is followed, through sums, casts and phis,
 *         to its uses; each derived pointer has this one variable as its root, or the variable
 *         escapes.
 * Always. (1) all accesses to one variable are rewritten or none is.
 */
#include "plugin.h"

#include "shim.h"

static hash_set<tree> *escaped;	    /* local variables; parameters, too */
static auto_vec<tree> escaped_list; /* the same, in order */
static hash_set<tree> *followed;    /* pointers */
static hash_map<tree, tree> *roots; /* of pointers: what is known */

static bool is_local(tree variable)
{
	return variable && (VAR_P(variable) || TREE_CODE(variable) == PARM_DECL) &&
	       !is_global_var(variable);
}

static void note_escaped(tree variable)
{
	if (is_local(variable) && !escaped->add(variable))
		escaped_list.safe_push(variable);
}

/* The variable whose address it is, NULL_TREE: it is no address. */
static tree addressed(tree value)
{
	if (!value || TREE_CODE(value) != ADDR_EXPR)
		return NULL_TREE;
	return get_base_address(TREE_OPERAND(value, 0));
}

/* --- roots ------------------------------------------------------------------------------------ */

static bool is_word(tree type)
{
	return (POINTER_TYPE_P(type) || INTEGRAL_TYPE_P(type)) &&
	       TYPE_PRECISION(type) == POINTER_SIZE;
}

/* An address computed from a pointer: that one. */
static tree address_base(tree address)
{
	tree base = addressed(address);

	if (base && (TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF))
		return TREE_OPERAND(base, 0);
	return address;
}

/* The operand that a pointer is derived from by this statement, NULL_TREE: it is not. */
static tree derived_from(gimple *s)
{
	tree first;

	if (!is_gimple_assign(s) || TREE_CODE(gimple_assign_lhs(s)) != SSA_NAME)
		return NULL_TREE;
	first = gimple_assign_rhs1(s);
	switch (gimple_assign_rhs_code(s)) {
	case SSA_NAME:
	case POINTER_PLUS_EXPR: return first;
	case ADDR_EXPR: return address_base(first);
	case PLUS_EXPR:
	case MINUS_EXPR:
		return CONSTANT_CLASS_P(gimple_assign_rhs2(s)) ? first : NULL_TREE;
	CASE_CONVERT:
		return is_word(TREE_TYPE(gimple_assign_lhs(s))) ? first : NULL_TREE;
	default: return NULL_TREE;
	}
}

struct search {
	hash_set<tree> seen;
	tree root = NULL_TREE;
	bool mixed = false;
};

static void search_root(struct search *found, tree value)
{
	tree root = addressed(value);
	gimple *s;

	if (!root && TREE_CODE(value) == SSA_NAME) {
		if (found->mixed || found->seen.add(value))
			return;
		s = SSA_NAME_DEF_STMT(value);
		if (gimple_code(s) == GIMPLE_PHI) {
			for (unsigned i = 0; i < gimple_phi_num_args(s); i++)
				search_root(found, gimple_phi_arg_def(s, i));
			return;
		}
		if (derived_from(s)) {
			search_root(found, derived_from(s));
			return;
		}
	}
	found->mixed |= !is_local(root) || (found->root && found->root != root);
	found->root = root;
}

static tree root_of(tree pointer)
{
	tree *known = roots->get(pointer), root;
	struct search found;

	if (known)
		return *known;
	search_root(&found, pointer);
	root = found.mixed ? NULL_TREE : found.root;
	roots->put(pointer, root);
	return root;
}

/* --- uses ------------------------------------------------------------------------------------- */

static void follow(tree pointer, tree root);

/* The statement makes `result' of a pointer to the variable. */
static void follow_result(tree result, tree root)
{
	if (root_of(result) == root)
		follow(result, root);
	else
		note_escaped(root);
}

static bool compares(gimple *s)
{
	return gimple_code(s) == GIMPLE_COND ||
	       (is_gimple_assign(s) &&
		       (TREE_CODE_CLASS(gimple_assign_rhs_code(s)) == tcc_comparison ||
			       gimple_assign_rhs_code(s) == POINTER_DIFF_EXPR));
}

/* A use of the pointer as an argument, or to address one. */
static bool call_keeps(gimple *s, tree pointer)
{
	for (unsigned i = 0; i < gimple_call_num_args(s); i++)
		if (gimple_call_arg(s, i) == pointer && !call_keeps_private(s, i))
			return false;
	return gimple_call_chain(s) != pointer && gimple_call_fn(s) != pointer;
}

/* The pointer addresses memory, and is no value in this statement. */
static bool only_addresses(gimple *s, tree pointer)
{
	return gimple_assign_single_p(s) && gimple_assign_rhs1(s) != pointer;
}

static void follow_use(gimple *s, tree pointer, tree root)
{
	if (is_gimple_debug(s) || compares(s))
		return;
	if (gimple_code(s) == GIMPLE_PHI)
		follow_result(gimple_phi_result(s), root);
	else if (derived_from(s) == pointer)
		follow_result(gimple_assign_lhs(s), root);
	else if (is_gimple_call(s) ? !call_keeps(s, pointer) : !only_addresses(s, pointer))
		note_escaped(root);
}

static void follow(tree pointer, tree root)
{
	imm_use_iterator i;
	gimple *s;

	if (followed->add(pointer))
		return;
	FOR_EACH_IMM_USE_STMT(s, i, pointer)
	follow_use(s, pointer, root);
}

/* --- statements ------------------------------------------------------------------------------- */

/* A statement takes the address of an object, or may access it as a whole. */
static bool note_address(gimple *s, tree object, tree, void *)
{
	tree variable = get_base_address(object);

	if (!is_local(variable) || compares(s))
		return false;
	if (gimple_code(s) == GIMPLE_PHI)
		follow_result(gimple_phi_result(s), variable);
	else if (addressed(derived_from(s)) == variable)
		follow_result(gimple_assign_lhs(s), variable);
	else
		note_escaped(variable);
	return false;
}

static void note_call(gimple *s)
{
	tree lhs = gimple_call_lhs(s);

	for (unsigned i = 0; i < gimple_call_num_args(s); i++)
		if (!call_keeps_private(s, i))
			note_escaped(addressed(gimple_call_arg(s, i)));
	note_escaped(addressed(gimple_call_chain(s)));
	/* An aggregate that the called function makes in memory. */
	if (lhs && TREE_CODE(lhs) != SSA_NAME && gcc_returns_in_memory(s))
		note_escaped(get_base_address(lhs));
}

static void note_statement(gimple *s)
{
	if (is_gimple_call(s))
		note_call(s);
	else if (!is_gimple_debug(s))
		walk_stmt_load_store_addr_ops(s, NULL, NULL, NULL, note_address);
}

void gcc_find_escaped(void)
{
	basic_block b;

	delete escaped;
	delete followed;
	delete roots;
	escaped = new hash_set<tree>;
	followed = new hash_set<tree>;
	roots = new hash_map<tree, tree>;
	escaped_list.truncate(0);
	FOR_EACH_BB_FN(b, cfun)
	{
		for (gphi_iterator p = gsi_start_phis(b); !gsi_end_p(p); gsi_next(&p))
			note_statement(p.phi());
		for (gimple_stmt_iterator s = gsi_start_bb(b); !gsi_end_p(s); gsi_next(&s))
			note_statement(gsi_stmt(s));
	}
}

gcc_tree gcc_escaped(unsigned i)
{
	return i < escaped_list.length() ? escaped_list[i] : NULL_TREE;
}

bool shim_is_private_variable(tree variable)
{
	return !escaped->contains(variable);
}

tree shim_root(tree pointer)
{
	tree root = addressed(pointer);

	return root || TREE_CODE(pointer) != SSA_NAME ? root : root_of(pointer);
}

bool shim_is_private_pointer(tree pointer)
{
	tree root = shim_root(pointer);

	return is_local(root) && !escaped->contains(root);
}
